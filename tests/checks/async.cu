// SPDX-License-Identifier: MIT
// Asynchronous copies, mbarriers, clusters and distributed shared memory: races and their cures, see corpus.cuh.
#include "async/bulk.cuh"
#include "async/clusters.cuh"
#include "async/copies.cuh"
#include "async/mbarriers.cuh"
#include "corpus.cuh"

using corpus::Case;
const Case kCases[] = {
    CASE(copy_not_waited_racy),
    CASE(copy_waited),
    CASE(own_copy_not_waited_racy),
    CASE(own_copy_waited),
    CASE(copy_without_barrier_racy),
    CASE(copy_barrier_first_racy),
    CASE(waits_for_too_little_racy),
    CASE(waits_step_by_step),
    CASE(copies_over_readers_racy),
    CASE(copies_behind_readers),
    CASE(source_changes_racy),
    CASE(source_changes_later),
    CASE(mbarrier_without_wait_racy),
    CASE(mbarrier_waits),
    CASE(mbarrier_second_phase_racy),
    CASE(mbarrier_two_phases),
    CASE(mbarrier_made_late_racy),
    CASE(copies_counted),
    CASE(copies_not_counted_racy),
    CASE(producer_and_consumer),
    CASE(producer_does_not_wait_racy),
    CASE(library_barrier),
    CASE(bulk_not_waited_racy),
    CASE(bulk_waited),
    CASE(bulk_out_reused_racy),
    CASE(bulk_out_waited),
    CASE(peer_read_racy, 4, 64, 0, false, 2),
    CASE(peer_read, 4, 64, 0, false, 2),
    CASE(peer_written_again_racy, 4, 64, 0, false, 2),
    CASE(peer_block_barrier_racy, 4, 64, 0, false, 2),
    CASE(peer_write, 4, 64, 0, false, 2),
    CASE(peer_counts_plain_racy, 4, 64, 0, false, 2),
    CASE(peer_counts, 4, 64, 0, false, 2),
    CASE(cluster_arrives_only_racy, 4, 64, 0, false, 2),
    CASE(other_cluster_racy, 4, 64, 0, false, 2),
    CASE(own_cluster, 4, 64, 0, false, 2),
    CASE(cluster_scope_counts, 4, 64, 0, false, 2),
    CASE(cluster_scope_counts_racy, 4, 64, 0, false, 2),
};

int main() { return corpus::run(kCases); }
