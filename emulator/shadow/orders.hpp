// SPDX-License-Identifier: MIT
// What comes before what among the operations of a program: kernels, copies and fills on streams, and the host.
//
// Every stream is a chain of operations, and so is every node of an executable graph. A clock says how many operations of
// each chain come before. The host waits for streams and events; what it submits then comes behind all of that.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace emu::check {

// Rows of bytes, each so far behind the last one. Between them lies what is not used.
struct Rows {
  std::uint64_t begin = 0, width = 0, pitch = 0, count = 1;
  std::uint64_t end() const { return begin + (count - 1) * pitch + width; }
  bool meets(std::uint64_t at, std::uint64_t bytes) const;
};

// Bytes that a copy, a fill, or a call that gives memory out or takes it back has used.
struct ApiUse {
  Rows rows;
  std::uint32_t operation = 0;
  bool writes = false;
  std::string api, does;
};

class Orders {
 public:
  struct Stream {
    std::uint64_t id = 0;
    int device = 0;
    bool legacy = false;    // the default stream, ordered with all blocking ones of its device
    bool blocking = false;  // not made with cudaStreamNonBlocking
  };

  explicit Orders(bool several_devices = false) : several_(several_devices) {}

  using Clock = std::vector<std::uint32_t>;  // by chain: how many of its operations come before

  // A stream was made, on which nothing may come for long; it is destroyed.
  void make(const Stream& stream) { chain(stream).gone = false; }
  void destroy(const Stream& stream) { chain(stream).gone = true; }
  // A new operation on a stream: the one that runs now. Its number, from 1.
  std::uint32_t begin(const Stream& stream);
  std::uint32_t current() const { return current_; }
  const Clock& record(const void* event, const Stream& stream);
  void wait(const Stream& stream, const void* event) { wait(stream, recorded(event)); }
  void wait(const Stream& stream, const Clock& event) { join(chain(stream).clock, event); }
  Clock recorded(const void* event) const;  // what comes before its last record

  // With several devices work is begun some time after it was submitted. What the host had waited for by then:
  const Clock& host() const { return host_; }
  // ... which counts while one lives.
  class AsOf {
   public:
    AsOf(Orders& orders, const Clock& host)
        : orders_(orders), before_(std::exchange(orders.then_, &host)) {}
    ~AsOf() { orders_.then_ = before_; }
    AsOf(const AsOf&) = delete;
    AsOf& operator=(const AsOf&) = delete;

   private:
    Orders& orders_;
    const Clock* before_;
  };
  void submitted() { ++pending_; }  // it will be begun later
  void started() { --pending_; }
  // The operation that runs now, for when another one has run meanwhile.
  struct Now {
    Clock clock;
    std::uint32_t operation = 0;
  };
  Now now() const { return {now_, current_}; }
  void resume(const Now& now) { now_ = now.clock, current_ = now.operation; }

  void host_waits(const Stream& stream);
  void host_waits_event(const void* event);
  void host_waits_device(int device);
  void host_waits_operation(std::uint32_t operation);

  // A graph is launched on a stream: its nodes are begun one by one, each behind others, until the end.
  void begin_graph(const Stream& stream);
  void begin_node(const void* node, const std::vector<const void*>& behind);
  void end_graph(const Stream& stream);
  void begin_child(const void* node, const std::vector<const void*>& behind);  // a graph in it
  void end_child(const void* node);
  void node_records(const void* node, const void* event);
  void node_waits(const void* node, const void* event);

  // Whether an operation comes before the one that runs now; before what the host does now.
  bool knows(std::uint32_t operation) const { return within(operation, now_); }
  bool within(std::uint32_t operation, const Clock& clock) const;
  int device_of(std::uint32_t operation) const { return operations_[operation].device; }
  bool knows_all() const { return is_all(now_); }
  // Whether all that comes, on whichever stream, comes behind all that was before the operation that runs now.
  bool known_to_all();
  bool host_knows(std::uint32_t operation) const { return within(operation, host_); }
  bool host_knows_all() const { return is_all(host_); }

 private:
  struct Chain {
    Stream stream;
    std::uint32_t number = 0;
    Clock clock;
    bool gone = false;  // nothing more comes on it
  };
  struct Place {
    std::uint32_t chain = 0, index = 0;
    int device = 0;
  };

  static void join(Clock& to, const Clock& from);
  const Clock& host_then() const { return then_ ? *then_ : host_; }
  bool is_all(const Clock& clock, bool but_current = false) const;
  Chain& chain(const Stream& stream);
  Clock behind(const std::vector<const void*>& nodes) const;
  Clock reached(const Stream& stream);  // all that comes before new work on it
  void add(std::uint32_t chain, int device, Clock& clock);

  std::map<std::uint64_t, Chain> streams_;
  std::map<const void*, Clock> events_;
  std::map<const void*, std::uint32_t> node_chains_;
  struct Launch {  // of a graph
    int device = 0;
    Clock before;
    std::map<const void*, Clock> nodes;
  };
  std::vector<Launch> launches_;        // that run now, innermost last
  std::vector<std::uint32_t> lengths_;  // of the chains
  std::vector<Place> operations_{1};
  Clock now_, host_;
  const Clock* then_ = nullptr;  // the host's, when what is begun now was submitted
  int pending_ = 0;
  bool several_;
  std::uint32_t current_ = 0;
};

}  // namespace emu::check
