// SPDX-License-Identifier: MIT
// Races between two devices that run at the same time, each beside its cure: see devices/pair.cuh.
#include "devices/far_chains.cuh"
#include "devices/far_counters.cuh"
#include "devices/far_flags.cuh"

const pair::Case kCases[] = {
    CASE(far_release_acquire),
    CASE(far_release_for_the_device_racy),
    CASE(far_acquire_for_the_device_racy),
    CASE(far_word_for_the_device_racy),
    CASE(far_word),
    CASE(far_relaxed_store_racy),
    CASE(far_relaxed_load_racy),
    CASE(far_volatile_with_fences),
    CASE(far_volatile_fence_of_the_device_racy),
    CASE(far_volatile_takers_fence_of_the_device_racy),
    CASE(far_word_first_racy),
    CASE(far_looks_once_racy),
    CASE(far_block_to_block, 1, 128),
    CASE(far_block_does_not_gather_racy, 1, 128),
    CASE(far_block_does_not_wait_racy, 1, 128),
    CASE(far_relay, 2),
    CASE(far_relay_relaxed_racy, 2),
    CASE(far_relay_by_an_atomic, 2),
    CASE(far_letters),
    CASE(far_letters_answer_taken_relaxed_racy),
    CASE(far_letters_answered_too_early_racy),
    CASE(far_meeting),
    CASE(far_meeting_too_early_racy),
    CASE(far_no_meeting_behind_it_racy),
    CASE(far_counter, 2),
    CASE(far_counter_of_the_device_racy, 2),
    CASE(far_counter_of_mixed_scope_racy, 2),
    CASE(far_counter_of_the_block_racy),
    CASE(far_counters_of_their_own, 2),
    CASE(far_counter_read_racy),
    CASE(far_counter_plain_racy),
    CASE(far_ref, 2),
    CASE(far_ref_of_the_device_racy, 2),
    CASE(far_halves),
    CASE(far_halves_overlap_racy),
    CASE(far_bytes),
    CASE(far_bytes_overlap_racy),
    CASE(far_both_read),
    CASE(far_volatile_data_racy),
    CASE(far_lock, 2),
    CASE(far_lock_of_the_device_racy),
    CASE(far_lock_fence_of_the_device_racy),
    CASE(far_neighbours_racy),
    CASE(far_neighbours),
};

int main() { return pair::run(kCases); }
