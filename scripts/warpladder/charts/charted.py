# SPDX-License-Identifier: MIT
"""Whether results hold something that charts show. Drawing itself needs matplotlib; asking does not."""

from __future__ import annotations

from ..results import families, growth, ladder, lock_free
from ..results.saved import Results


def anything(results: Results) -> bool:
    return (
        ladder.best_type(results) is not None
        or bool(lock_free.families(results))
        or bool(families.documents(results))
        or bool(growth.charts(results))
    )
