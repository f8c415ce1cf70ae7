// SPDX-License-Identifier: MIT
// From a checked PTX function to Code: instructions in reconvergence order, each bound to its
// handler and operands.
#include <algorithm>
#include <bit>
#include <cstring>
#include <map>
#include <set>

#include "analysis/control_flow.hpp"
#include "analysis/results.hpp"
#include "bind/bind.hpp"
#include "engine/report.hpp"
#include "machine/specials.hpp"
#include "program/image.hpp"

namespace emu::exec {
namespace {

using ptx::kNoIndex;
using ptx::Operand;
using ptx::Type;

constexpr Bind kBinders[] = {
#define INSTRUCTION(id, mnemonic, types, modifiers, syntax, meaning) &bind_##id,
#include "ptx/instructions.def"
#undef INSTRUCTION
};
static_assert(std::size(kBinders) == ptx::kRowCount);

// Of registers or constants of one function: what Ref::offset can address, with room to spare.
constexpr std::uint32_t kMostBytes = 1u << 28;
// As on NVIDIA GPUs: local memory of a thread.
constexpr std::uint64_t kMostLocal = 512 * 1024;
// Of a function's parameters and the .param variables in it; far more than nvcc accepts.
constexpr std::uint64_t kMostParams = 256 * 1024;

std::uint32_t lane_bytes(Type type) { return std::max<std::uint32_t>(2, ptx::size_of(type)); }

Ref at(Area area, std::uint32_t offset) {
  Ref ref{};
  ref.area = static_cast<std::uint32_t>(area);
  ref.offset = offset;
  return ref;
}

// Reads a clock register afresh, then does what the instruction does.
void with_clock(Warp& w, const Instr& in, LaneMask mask) {
  refresh_clock(w);
  reinterpret_cast<Handler>(reinterpret_cast<std::uintptr_t>(in.extra))(w, in, mask);
}

class Decoder final : public Binder {
 public:
  Decoder(const KernelImage& image, const ptx::Module& module, const ptx::Function& function)
      : image_(image), function_(function), code_(std::make_unique<Code>()) {
    code_->function = &function;
    code_->module = &module;
    code_->name = demangle(function.name);
  }

  std::unique_ptr<Code> run() {
    current_ = &function_.code.at(0);  // the place of what is wrong with the function as a whole
    const FlowGraph graph = analyse(function_);
    const Slots slots = allocate_slots(function_, graph, 0);
    if (slots.bytes >= kMostBytes) unsupported("the function needs too many registers");
    slot_ = slots.offset;
    code_->frame_bytes = slots.bytes;
    code_->live_registers = slots.live_words;
    ParamLayout params = lay_out_params(function_);
    if (params.bytes > kMostParams) {
      unsupported("its parameters take " + std::to_string(params.bytes) + " bytes, more than " +
                  std::to_string(kMostParams));
    }
    code_->param_at = std::move(params.offset);
    code_->param_bytes = static_cast<std::uint32_t>(params.bytes);
    lay_out_local();
    always_ = constant(~std::uint64_t{0}, 4);
    find_known();
    emit_blocks(graph);
    return std::move(code_);
  }

  // ---- Binder
  const ptx::Instruction& ins() const override { return *current_; }

  Ref source(const Operand& op, Type type) override {
    const std::uint32_t bytes = lane_bytes(type);
    switch (op.kind) {
      case Operand::Kind::Register: {
        const std::uint32_t has = width(op);
        if (has != bytes) {
          unsupported("register " + function_.registers.at(op.reg).name + " has " +
                      std::to_string(has * 8) + " bits where " + std::to_string(bytes * 8) +
                      " are needed");
        }
        if (const auto it = known_.find(op.reg); it != known_.end())
          return constant(it->second, bytes);
        return slot(op.reg);
      }
      case Operand::Kind::Immediate:
        return constant(immediate(op, type), bytes);
      case Operand::Kind::Symbol:
        return symbol(op, bytes);
      case Operand::Kind::Special:
        return special(op, bytes);
      default:
        unsupported("this operand cannot be read here");
    }
  }

  std::pair<Ref, LaneMask> predicate(const Operand& op) override {
    const LaneMask flip = op.negated ? kAllLanes : 0;
    if (op.kind == Operand::Kind::Immediate)
      return {constant(op.bits ? ~std::uint64_t{0} : 0, 4), flip};
    if (op.kind == Operand::Kind::Special) return {special(op, 4), flip};
    if (op.kind != Operand::Kind::Register || function_.registers.at(op.reg).type != Type::Pred) {
      unsupported("a predicate is needed here");
    }
    return {slot(op.reg), flip};
  }

  Ref dest(const Operand& op) override {
    if (op.kind == Operand::Kind::Register) return slot(op.reg);
    if (op.kind != Operand::Kind::Sink) unsupported("the result must be a register");
    if (scratch_ == kNoIndex) scratch_ = reserve(kLanes * 16);
    return at(Area::Frame, scratch_);
  }

  std::uint32_t width(const Operand& op) const override {
    if (op.kind != Operand::Kind::Register) return 0;
    const Type type = function_.registers.at(op.reg).type;
    return type == Type::Pred ? 0 : lane_bytes(type);
  }

  std::optional<std::uint64_t> known(const Operand& op) const override {
    if (op.kind == Operand::Kind::Immediate) return op.bits;
    if (op.kind != Operand::Kind::Register) return std::nullopt;
    const auto it = known_.find(op.reg);
    return it == known_.end() ? std::nullopt : std::optional(it->second);
  }

  Ref constant(std::uint64_t bits, std::uint32_t bytes) override {
    if (bytes < 8) bits &= (std::uint64_t{1} << (8 * bytes)) - 1;
    const auto [it, fresh] = constants_.try_emplace({bits, bytes}, 0u);
    if (fresh) {
      auto& pool = code_->constants;
      it->second = static_cast<std::uint32_t>(pool.size());
      if (pool.size() >= kMostBytes) unsupported("the function has too many constants");
      pool.resize(pool.size() + kLanes * bytes);
      for (int lane = 0; lane < kLanes; ++lane) {
        std::memcpy(pool.data() + it->second + lane * bytes, &bits, std::min(bytes, 8u));
      }
    }
    return at(Area::Constant, it->second);
  }

  AddressRef address(const Operand& op) override {
    if (op.kind != Operand::Kind::Address) unsupported("an address in brackets is needed here");
    AddressRef ref;
    ref.offset = op.offset;
    if (op.reg != kNoIndex) {
      const Type type = function_.registers.at(op.reg).type;
      ref.base_bytes = type == Type::Pred ? 0 : lane_bytes(type);
      if (ref.base_bytes != 4 && ref.base_bytes != 8) {
        unsupported("register " + function_.registers[op.reg].name +
                    " cannot hold an address: it must have 32 or 64 bits");
      }
      ref.base = slot(op.reg);
      return ref;
    }
    ref.base = constant(0, 8);
    if (op.symbol.empty()) return ref;
    const Symbol s = find(op.symbol);
    switch (s.kind) {
      case Symbol::Kind::KernelParam:
      case Symbol::Kind::FrameParam:
        ref.is_param = true;
        ref.kernel_param = s.kind == Symbol::Kind::KernelParam;
        ref.space = ptx::Space::Param;
        ref.offset += static_cast<std::int64_t>(s.value);
        break;
      case Symbol::Kind::Shared:
        ref.space = ptx::Space::Shared;
        ref.offset += static_cast<std::int64_t>(s.value);
        break;
      case Symbol::Kind::Local:
        ref.space = ptx::Space::Local;
        ref.base = local_address(static_cast<std::uint32_t>(s.value), 8);
        break;
      default:
        ref.space = ptx::Space::Global;
        ref.base = constant(s.value, 8);
        break;
    }
    return ref;
  }

  MemorySite* new_site() override {
    code_->sites.push_back(std::make_unique<MemorySite>());
    return code_->sites.back().get();
  }
  Ref* new_list(std::size_t n) override {
    code_->lists.push_back(std::make_unique<Ref[]>(n));
    return code_->lists.back().get();
  }
  void keep(std::shared_ptr<void> extra) override { code_->extras.push_back(std::move(extra)); }

  [[noreturn]] void unsupported(const std::string& why) const override {
    throw_decode_error(*code_, *current_, image_, why);
  }

  const KernelImage& image() const override { return image_; }
  const Code& code() const override { return *code_; }

 private:
  Ref slot(std::uint32_t reg) {
    std::uint32_t& offset = slot_.at(reg);
    if (offset == kNoIndex) offset = reserve(frame_bytes_of(function_.registers[reg].type));
    return at(Area::Frame, offset);
  }

  // nvcc moves many immediates into registers it never changes: reading those as constants saves
  // nothing in PTX terms (the mov is still executed) but lets binders see, say, the distance of a
  // shuffle.
  void find_known() {
    const auto definitions = count_definitions(function_);
    for (const auto& ins : function_.code) {
      if (ins.row != ptx::Row::mov || ins.guard != kNoIndex || ins.operands.size() != 2) continue;
      const Operand &d = ins.operands[0], &a = ins.operands[1];
      if (d.kind != Operand::Kind::Register || a.kind != Operand::Kind::Immediate) continue;
      if (definitions[d.reg] != 1 || function_.registers[d.reg].type == Type::Pred) continue;
      known_[d.reg] = immediate(a, ins.type());
    }
  }

  void lay_out_local() {
    std::uint64_t bytes = 0;
    for (const auto& v : function_.variables) {
      if (v.space != ptx::Space::Local) continue;
      const std::uint64_t align = std::max(v.align, 1u);
      bytes = (bytes + align - 1) / align * align;
      code_->local_at[v.name] = static_cast<std::uint32_t>(bytes);
      bytes += v.size;
      if (bytes > kMostLocal) {
        unsupported("its local variables take " + std::to_string(bytes) +
                    " bytes per thread, more than " + std::to_string(kMostLocal));
      }
    }
    code_->local_bytes = static_cast<std::uint32_t>((bytes + 15) / 16 * 16);
  }

  // Further room at the end of the frame.
  std::uint32_t reserve(std::uint32_t bytes) {
    const std::uint32_t offset = code_->frame_bytes;
    if (offset >= kMostBytes) unsupported("the function needs too many registers");
    code_->frame_bytes += (bytes + 63) / 64 * 64;
    return offset;
  }

  static std::uint64_t immediate(const Operand& op, Type type) {
    const bool wants_f32 = type == Type::F32, wants_f64 = type == Type::F64;
    switch (op.literal) {
      case Operand::Literal::F32:
        if (wants_f64) {
          return std::bit_cast<std::uint64_t>(
              static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(op.bits))));
        }
        return op.bits;
      case Operand::Literal::F64:
        if (wants_f32) {
          return std::bit_cast<std::uint32_t>(static_cast<float>(std::bit_cast<double>(op.bits)));
        }
        return op.bits;
      case Operand::Literal::Integer:
        break;
    }
    return op.bits;
  }

  Symbol find(std::string_view name) const {
    const Symbol s = image_.resolve(*code_, name);
    if (s.kind == Symbol::Kind::None) {
      unsupported("the program does not define " + demangle(name));
    }
    return s;
  }

  Ref symbol(const Operand& op, std::uint32_t bytes) {
    const Symbol s = find(op.symbol);
    if (bytes != 4 && bytes != 8) unsupported("an address has 32 or 64 bits");
    if (s.kind == Symbol::Kind::Local) {
      return local_address(static_cast<std::uint32_t>(s.value + op.offset), bytes);
    }
    if (s.kind == Symbol::Kind::FrameParam) {
      unsupported("the address of a function's parameter is taken, which only kernels may do here");
    }
    return constant(s.value + static_cast<std::uint64_t>(op.offset), bytes);
  }

  Ref local_address(std::uint32_t offset, std::uint32_t bytes) {
    for (const auto& known : code_->local_slots) {
      if (known.offset == offset && known.bytes == bytes) return at(Area::Frame, known.slot);
    }
    const std::uint32_t place = reserve(kLanes * bytes);
    code_->local_slots.push_back({place, offset, bytes});
    return at(Area::Frame, place);
  }

  Ref special(const Operand& op, std::uint32_t bytes) {
    const auto found = find_special(op.symbol);
    if (!found) unsupported("the special register " + std::string(op.symbol) + " is not known");
    if (found->bytes != bytes) {
      if (op.symbol == "%gridid" && bytes == 8) return constant(0, 8);
      unsupported(std::string(op.symbol) + " has " + std::to_string(found->bytes * 8) + " bits");
    }
    reads_clock_ |= found->dynamic;
    return found->ref;
  }

  void emit_blocks(const FlowGraph& graph) {
    if (graph.order.empty()) {
      emit_implicit_return();
      return;
    }
    std::vector<std::uint32_t> start(graph.blocks.size(), kNoIndex);
    struct Fix {
      std::uint32_t instr, block;
    };
    std::vector<Fix> fixes;
    for (std::size_t p = 0; p < graph.order.size(); ++p) {
      const std::uint32_t b = graph.order[p];
      const BasicBlock& block = graph.blocks[b];
      start[b] = static_cast<std::uint32_t>(code_->instrs.size());
      for (std::uint32_t i = block.begin; i < block.end; ++i) {
        const auto& source = function_.code[i];
        Instr out = bind(source);
        if (source.row == ptx::Row::bra) {
          const std::uint32_t label = source.operands.at(0).label;
          if (label >= function_.code.size())
            unsupported("the label is behind the end of the function");
          const std::uint32_t to = graph.way(b, graph.block_of[label]);
          fixes.push_back({static_cast<std::uint32_t>(code_->instrs.size()), to});
          mark_back_edge(out, graph, b, to);
        }
        code_->instrs.push_back(out);
      }
      const bool runs_off =
          block.falls_to == kNoIndex && may_run_off(function_.code[block.end - 1]);
      if (runs_off) emit_implicit_return();
      const bool next_follows = p + 1 < graph.order.size() && graph.order[p + 1] == block.falls_to;
      if (block.falls_to != kNoIndex && !next_follows) {
        Instr jump;
        jump.guard = always_;
        jump.flow = Flow::Branch;
        jump.row = ptx::Row::bra;
        mark_back_edge(jump, graph, b, block.falls_to);
        fixes.push_back({static_cast<std::uint32_t>(code_->instrs.size()), block.falls_to});
        code_->instrs.push_back(jump);
      }
    }
    for (const Fix& fix : fixes) code_->instrs[fix.instr].target = start[fix.block];
    resolve_tables(graph, start);
  }

  static bool may_run_off(const ptx::Instruction& last) {
    const bool leaves = last.row == ptx::Row::ret || last.row == ptx::Row::exit ||
                        last.row == ptx::Row::bra || last.row == ptx::Row::brx ||
                        last.row == ptx::Row::trap;
    return !leaves || last.guard != kNoIndex;
  }

  void mark_back_edge(Instr& branch, const FlowGraph& graph, std::uint32_t from, std::uint32_t to) {
    branch.back_edge = graph.position[to] <= graph.position[from];
    branch.spin_edge = branch.back_edge && may_spin(function_, graph, from, to);
  }

  void emit_implicit_return() {
    Instr out;
    out.guard = always_;
    out.flow = Flow::Return;
    out.row = ptx::Row::ret;
    code_->instrs.push_back(out);
  }

  // brx.idx keeps its targets as instruction indices of the text until the layout is known.
  void resolve_tables(const FlowGraph& graph, const std::vector<std::uint32_t>& start) {
    for (Instr& in : code_->instrs) {
      if (in.flow != Flow::BranchTable) continue;
      const auto found = function_.branch_targets.find(in.source->operands.at(1).symbol);
      if (found == function_.branch_targets.end()) {
        current_ = in.source;
        unsupported("the branch table is not defined");
      }
      std::vector<std::uint32_t> targets;
      const std::uint32_t from = graph.block_of.at(in.source - function_.code.data());
      for (const std::uint32_t t : found->second) {
        targets.push_back(start.at(graph.way(from, graph.block_of.at(t))));
      }
      in.count = static_cast<std::uint16_t>(std::min<std::size_t>(targets.size(), 0xffff));
      in.extra = make(std::move(targets));
    }
  }

  Instr bind(const ptx::Instruction& source) {
    current_ = &source;
    reads_clock_ = false;
    Instr out;
    out.row = source.row;
    out.source = &source;
    out.guard = source.guard == kNoIndex ? always_ : slot(source.guard);
    out.guard_flip = source.guard_negated ? kAllLanes : 0;
    if (const std::string why = result_problem(function_, source); !why.empty()) unsupported(why);
    try {
      kBinders[static_cast<std::size_t>(source.row)](*this, out);
    } catch (const std::out_of_range&) {
      unsupported("it has too few operands");
    }
    if (reads_clock_) {
      if (out.extra) unsupported("a clock register cannot be read by this instruction");
      out.extra = reinterpret_cast<const void*>(reinterpret_cast<std::uintptr_t>(out.fn));
      out.fn = &with_clock;
    }
    return out;
  }

  const KernelImage& image_;
  const ptx::Function& function_;
  std::unique_ptr<Code> code_;
  const ptx::Instruction* current_ = nullptr;
  std::vector<std::uint32_t> slot_;
  std::map<std::pair<std::uint64_t, std::uint32_t>, std::uint32_t> constants_;
  std::unordered_map<std::uint32_t, std::uint64_t>
      known_;  // registers that only ever hold this value
  std::uint32_t scratch_ = kNoIndex;
  Ref always_{};
  bool reads_clock_ = false;
};

}  // namespace

std::unique_ptr<Code> decode(const KernelImage& image, const ptx::Module& module,
                             const ptx::Function& function) {
  return Decoder(image, module, function).run();
}

}  // namespace emu::exec
