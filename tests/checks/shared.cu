// SPDX-License-Identifier: MIT
// Races in shared memory, each beside its cure: see corpus.cuh.
#include "corpus.cuh"
#include "shared/barriers.cuh"
#include "shared/bytes.cuh"
#include "shared/counting.cuh"
#include "shared/flags.cuh"
#include "shared/lanes.cuh"
#include "shared/numbered.cuh"
#include "shared/rounds.cuh"

using corpus::Case;
const Case kCases[] = {
    CASE(reverse_racy),
    CASE(reverse),
    CASE(tree_racy, 1, 128),
    CASE(tree, 1, 128),
    CASE(tree_start_racy, 1, 128),
    CASE(barrier_before_racy),
    CASE(barrier_behind),
    CASE(flag_of_block_racy),
    CASE(flag_of_block),
    CASE(total_racy),
    CASE(total),
    CASE(halo_racy),
    CASE(halo),
    CASE(one_word_twice_racy),
    CASE(one_word_twice),
    CASE(tile_again_racy),
    CASE(tile_again),
    CASE(two_tiles),
    CASE(scan_in_place_racy),
    CASE(scan_in_place),
    CASE(shift_racy),
    CASE(shift),
    CASE(bins_plain_racy),
    CASE(bins_atomic),
    CASE(bins_not_zero_yet_racy),
    CASE(bins_read_early_racy),
    CASE(bins_of_block_scope),
    CASE(everybody_writes_racy),
    CASE(one_writes),
    CASE(same_value_in_a_warp),
    CASE(warp_reverse_racy, 1, 32),
    CASE(warp_reverse, 1, 32),
    CASE(warp_tree_racy, 1, 32),
    CASE(warp_tree, 1, 32),
    CASE(half_mask_racy, 1, 32),
    CASE(half_mask, 1, 32),
    CASE(two_halves_meet, 1, 32),
    CASE(branch_of_warp_racy, 1, 32),
    CASE(branch_of_warp, 1, 32),
    CASE(shuffle_meets, 1, 32),
    CASE(ballot_meets, 1, 32),
    CASE(tile_of_16_racy),
    CASE(tile_of_16),
    CASE(group_sync),
    CASE(coalesced_racy, 1, 32),
    CASE(group_of_a_branch, 1, 32),
    CASE(two_numbers_racy, 1, 128),
    CASE(two_numbers, 1, 128),
    CASE(one_number, 1, 128),
    CASE(consumer_does_not_wait_racy),
    CASE(producer_arrives),
    CASE(producer_goes_on_racy),
    CASE(vote_of_block),
    CASE(neighbour_bytes),
    CASE(byte_of_a_word_racy),
    CASE(byte_of_a_word),
    CASE(vector_over_neighbour_racy),
    CASE(vector_own),
    CASE(overlapping_arrays_racy, 1, 64, 1024),
    CASE(separate_arrays, 1, 64, 1024),
    CASE(volatile_flag_racy),
    CASE(volatile_flag_with_fences),
    CASE(tile_of_64_hidden_racy, 1, 128),
    CASE(tile_of_64, 1, 128),
};

int main() { return corpus::run(kCases); }
