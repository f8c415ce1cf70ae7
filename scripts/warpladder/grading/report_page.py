# SPDX-License-Identifier: MIT
"""The frame of the class report: its style, light and dark, and nothing that needs a network."""

from __future__ import annotations

HEAD = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>Class report</title>
<style>
:root { color-scheme: light dark; --ink: #1d2430; --dim: #5c6675; --page: #f6f7f9; --card: #ffffff; --line: #d9dee6;
  --good: #2f7d4f; --rest: #e6e9ee; --warn: #9a4b00; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e4e8ee; --dim: #9aa5b4; --page: #14181e; --card: #1d232c; --line: #333c48; --good: #57b881;
    --rest: #2c343f; --warn: #f0a861; }
}
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1.5rem 1rem 4rem; max-width: 72rem; background: var(--page); color: var(--ink);
  font: 16px/1.5 system-ui, sans-serif; }
h1 { font-size: 1.6rem; margin: 0 0 .3rem; } h2 { font-size: 1.2rem; margin: 2.2rem 0 .6rem; }
h3 { font-size: 1rem; margin: 0; } h4 { font-size: .95rem; margin: 1rem 0 .3rem; } p { margin: .3rem 0; }
.dim { color: var(--dim); font-size: .875rem; } .warn { color: var(--warn); overflow-wrap: anywhere; }
.cards { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(17rem, 100%), 1fr)); gap: .8rem; }
.card { background: var(--card); border: 1px solid var(--line); border-radius: .5rem; padding: .8rem 1rem; min-width: 0;
  overflow-wrap: anywhere; }
.bar { height: .5rem; border-radius: .25rem; background: var(--rest); overflow: hidden; margin: .3rem 0 .6rem; }
.bar span { display: block; height: 100%; background: var(--good); }
table { border-collapse: collapse; width: 100%; font-size: .9rem; }
td, th { padding: .2rem .5rem .2rem 0; border-top: 1px solid var(--line); text-align: left; overflow-wrap: anywhere; }
.n { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; padding-right: 0; }
.wide { overflow-x: auto; }
figure { margin: 1rem 0 0; max-width: 30rem; } figcaption { font-size: .875rem; color: var(--dim); }
.chart { display: flex; align-items: flex-end; gap: 2px; height: 5rem; border-bottom: 1px solid var(--line); }
.chart i { flex: 1; background: var(--good); min-height: 0; border-radius: 2px 2px 0 0; }
.axis { display: flex; justify-content: space-between; font-size: .8rem; color: var(--dim); }
details { background: var(--card); border: 1px solid var(--line); border-radius: .5rem; margin: .4rem 0;
  padding: .5rem 1rem; }
summary { cursor: pointer; } summary span { overflow-wrap: anywhere; margin-right: .5rem; }
pre { background: var(--page); border: 1px solid var(--line); border-radius: .3rem; padding: .6rem; overflow-x: auto;
  font: .85rem/1.4 ui-monospace, monospace; white-space: pre-wrap; overflow-wrap: anywhere; }
@media print { details > * { display: block; } }
</style>
</head>
<body>"""
FOOT = "</body>\n</html>\n"
