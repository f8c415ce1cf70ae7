// SPDX-License-Identifier: MIT
#include "common/irregular/point_files.hpp"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <optional>
#include <sstream>

#include "common/irregular/clusters.hpp"
#include "common/program/options.hpp"

namespace course {

namespace {

static_assert(std::endian::native == std::endian::little);
constexpr std::size_t kMostPoints = std::size_t{1} << 30;

[[noreturn]] void refuse(const std::string& path, const std::string& why) {
  throw UsageError{path + ": " + why};
}
std::string ending_of(const std::string& path) {
  std::string ending = std::filesystem::path(path).extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return ending;
}

// One number of a point as it lies in a file.
struct Field {
  std::string name;
  char kind = 'F';  // F, I or U
  std::size_t size = 4, count = 1;
};
struct Layout {
  std::vector<Field> fields;
  std::size_t points = 0;
  enum class Data { Text, Little, Big } data = Data::Text;
};

double number_at(const char* at, const Field& field, bool big) {
  char bytes[8];
  for (std::size_t k = 0; k < field.size && k < sizeof bytes; ++k)
    bytes[k] = at[big ? field.size - 1 - k : k];
  const auto as = [&](auto value) {
    std::memcpy(&value, bytes, sizeof value);
    return static_cast<double>(value);
  };
  if (field.kind == 'F') return field.size == 4 ? as(float{}) : as(double{});
  const bool negative = field.kind == 'I';
  switch (field.size) {
    case 1:
      return negative ? as(std::int8_t{}) : as(std::uint8_t{});
    case 2:
      return negative ? as(std::int16_t{}) : as(std::uint16_t{});
    case 4:
      return negative ? as(std::int32_t{}) : as(std::uint32_t{});
    default:
      return negative ? as(std::int64_t{}) : as(std::uint64_t{});
  }
}
double number_of(const std::string& path, const std::string& word) {
  double value = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error == std::errc{} && end == word.data() + word.size()) return value;
  if (error == std::errc::result_out_of_range) return word[0] == '-' ? -INFINITY : INFINITY;
  refuse(path, "\"" + word + "\" is not a number");
}
std::size_t size_of(const std::string& path, const std::string& word, const char* what) {
  std::size_t value = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error != std::errc{} || end != word.data() + word.size() || value > kMostPoints)
    refuse(path, std::string(what) + " \"" + word + "\" is not a number up to 2^30");
  return value;
}

// Where x, y, z and the reflectance are among the numbers of a point.
struct Places {
  std::size_t xyz[3];
  std::optional<std::size_t> w;
};
Places places_of(const std::string& path, const Layout& layout) {
  Places places{};
  const auto find = [&](const char* name) {
    const auto at = std::find_if(layout.fields.begin(), layout.fields.end(),
                                 [&](const Field& f) { return f.name == name && f.count == 1; });
    return at == layout.fields.end() ? std::nullopt
                                     : std::optional<std::size_t>(at - layout.fields.begin());
  };
  const char* const names[] = {"x", "y", "z"};
  for (int d = 0; d < 3; ++d) {
    const auto at = find(names[d]);
    if (!at) refuse(path, std::string("its points have no ") + names[d]);
    places.xyz[d] = *at;
  }
  for (const char* const name : {"intensity", "reflectance", "scalar_intensity"})
    if (!places.w) places.w = find(name);
  return places;
}
float4 point_of(const std::vector<double>& numbers, const Places& places) {
  const auto f = [&](std::size_t at) { return static_cast<float>(numbers[at]); };
  return {f(places.xyz[0]), f(places.xyz[1]), f(places.xyz[2]), places.w ? f(*places.w) : 0.0f};
}

std::vector<float4> read_data(const std::string& path, std::istream& file, const Layout& layout) {
  const Places places = places_of(path, layout);
  std::vector<float4> points;
  std::vector<double> numbers(layout.fields.size());
  std::size_t bytes = 0;
  for (const Field& f : layout.fields) bytes += f.size * f.count;
  std::vector<char> record(bytes);
  const auto missing = [&] {
    refuse(path, "it ends after " + std::to_string(points.size()) + " of " +
                     std::to_string(layout.points) + " points");
  };
  for (std::size_t i = 0; i < layout.points; ++i) {
    if (layout.data == Layout::Data::Text) {
      std::string word;
      for (std::size_t k = 0; k < layout.fields.size(); ++k)
        for (std::size_t c = 0; c < layout.fields[k].count; ++c) {
          if (!(file >> word)) missing();
          numbers[k] = number_of(path, word);
        }
    } else {
      if (!file.read(record.data(), static_cast<std::streamsize>(bytes))) missing();
      std::size_t at = 0;
      for (std::size_t k = 0; k < layout.fields.size();
           at += layout.fields[k].size * layout.fields[k].count, ++k)
        numbers[k] =
            number_at(record.data() + at, layout.fields[k], layout.data == Layout::Data::Big);
    }
    points.push_back(point_of(numbers, places));
  }
  return points;
}

// A line without its end, in words; false: there is none.
bool read_words(std::istream& file, std::vector<std::string>& words) {
  std::string line, word;
  if (!std::getline(file, line)) return false;
  words.clear();
  for (std::istringstream in(line); in >> word;) words.push_back(word);
  return true;
}

void check_field(const std::string& path, const Field& f) {
  const bool known = f.kind == 'F' ? f.size == 4 || f.size == 8
                                   : (f.kind == 'I' || f.kind == 'U') &&
                                         (f.size == 1 || f.size == 2 || f.size == 4 || f.size == 8);
  if (!known)
    refuse(path, "field " + f.name + " is of type " + f.kind + std::to_string(f.size) +
                     "; there are F4, F8 and I or U with 1, 2, 4 or 8 bytes");
}

std::vector<float4> read_pcd(const std::string& path, std::istream& file) {
  Layout layout;
  std::vector<std::string> words;
  const auto each = [&](const char* what,
                        const std::function<void(Field&, const std::string&)>& set) {
    if (words.size() != layout.fields.size() + 1)
      refuse(path, std::string(what) + " has not one word for each of FIELDS");
    for (std::size_t k = 0; k < layout.fields.size(); ++k) set(layout.fields[k], words[k + 1]);
  };
  while (read_words(file, words)) {
    if (words.empty() || words[0][0] == '#') continue;
    const std::string& key = words[0];
    if (key == "FIELDS" || key == "COLUMNS")
      for (std::size_t k = 1; k < words.size(); ++k) layout.fields.push_back({words[k]});
    else if (key == "SIZE")
      each("SIZE", [&](Field& f, const std::string& w) { f.size = size_of(path, w, "SIZE"); });
    else if (key == "TYPE")
      each("TYPE", [](Field& f, const std::string& w) { f.kind = w[0]; });
    else if (key == "COUNT")
      each("COUNT", [&](Field& f, const std::string& w) { f.count = size_of(path, w, "COUNT"); });
    else if (key == "POINTS" && words.size() == 2)
      layout.points = size_of(path, words[1], "POINTS");
    else if (key == "DATA" && words.size() == 2) {
      if (words[1] != "ascii" && words[1] != "binary")
        refuse(path, "DATA " + words[1] + " is not read; there are ascii and binary");
      layout.data = words[1] == "ascii" ? Layout::Data::Text : Layout::Data::Little;
      for (const Field& f : layout.fields) check_field(path, f);
      return read_data(path, file, layout);
    } else if (key != "VERSION" && key != "WIDTH" && key != "HEIGHT" && key != "VIEWPOINT") {
      refuse(path, "\"" + key.substr(0, 20) + "\" is no line of a PCD file's head");
    }
  }
  refuse(path, "it has no line DATA");
}

Field ply_field(const std::string& path, const std::string& type, const std::string& name) {
  static const std::pair<const char*, Field> kTypes[] = {
      {"char", {"", 'I', 1}},   {"uchar", {"", 'U', 1}},  {"short", {"", 'I', 2}},
      {"ushort", {"", 'U', 2}}, {"int", {"", 'I', 4}},    {"uint", {"", 'U', 4}},
      {"float", {"", 'F', 4}},  {"double", {"", 'F', 8}}, {"int8", {"", 'I', 1}},
      {"uint8", {"", 'U', 1}},  {"int16", {"", 'I', 2}},  {"uint16", {"", 'U', 2}},
      {"int32", {"", 'I', 4}},  {"uint32", {"", 'U', 4}}, {"float32", {"", 'F', 4}},
      {"float64", {"", 'F', 8}}};
  for (const auto& [word, field] : kTypes)
    if (type == word) return {name, field.kind, field.size};
  refuse(path, "property " + name + " is of type " + type + ", which is not read");
}

std::vector<float4> read_ply(const std::string& path, std::istream& file) {
  Layout layout;
  std::vector<std::string> words;
  if (!read_words(file, words) || words != std::vector<std::string>{"ply"})
    refuse(path, "it does not begin with the line \"ply\"");
  int elements = 0;
  while (read_words(file, words)) {
    if (words.empty() || words[0] == "comment" || words[0] == "obj_info") continue;
    if (words[0] == "format" && words.size() == 3) {
      if (words[1] != "ascii" && words[1] != "binary_little_endian" &&
          words[1] != "binary_big_endian")
        refuse(path, "format " + words[1] + " is not known");
      layout.data = words[1] == "ascii"                  ? Layout::Data::Text
                    : words[1] == "binary_little_endian" ? Layout::Data::Little
                                                         : Layout::Data::Big;
    } else if (words[0] == "element" && words.size() == 3) {
      if (++elements == 1 && words[1] != "vertex")
        refuse(path, "its first element is " + words[1] + ", not vertex");
      if (elements == 1) layout.points = size_of(path, words[2], "vertex");
    } else if (words[0] == "property" && words.size() >= 3) {
      if (elements != 1) continue;
      if (words[1] == "list") refuse(path, "a vertex has a list, which is not read");
      layout.fields.push_back(ply_field(path, words[1], words[2]));
    } else if (words[0] == "end_header") {
      return read_data(path, file, layout);
    } else {
      refuse(path, "\"" + words[0].substr(0, 20) + "\" is no line of a PLY file's head");
    }
  }
  refuse(path, "it has no line end_header");
}

std::vector<float4> read_bin(const std::string& path, std::istream& file) {
  std::ostringstream all;
  all << file.rdbuf();
  const std::string bytes = all.str();
  if (bytes.size() % sizeof(float4) != 0)
    refuse(path, "its " + std::to_string(bytes.size()) +
                     " bytes are no multiple of 16: a point has four floats");
  std::vector<float4> points(bytes.size() / sizeof(float4));
  if (!points.empty()) std::memcpy(points.data(), bytes.data(), bytes.size());
  return points;
}

template <class T>
void put(std::ostream& file, T value) {
  file.write(reinterpret_cast<const char*>(&value), sizeof value);
}

}  // namespace

std::vector<float4> read_points(const std::string& path) {
  const std::string ending = ending_of(path);
  const auto read = ending == ".pcd"   ? &read_pcd
                    : ending == ".ply" ? &read_ply
                    : ending == ".bin" ? &read_bin
                                       : nullptr;
  if (read == nullptr) refuse(path, "what ends so is not read; there are .pcd, .ply and .bin");
  std::ifstream file(path, std::ios::binary);
  if (!file || std::filesystem::is_directory(path)) refuse(path, "it cannot be read");
  return read(path, file);
}

void write_points(const std::string& path, std::span<const float4> points,
                  std::span<const std::uint32_t> labels) {
  const std::string ending = ending_of(path), count = std::to_string(points.size());
  if (ending != ".pcd" && ending != ".ply" && ending != ".bin")
    refuse(path, "what ends so is not written; there are .pcd, .ply and .bin");
  std::ofstream file(path, std::ios::binary);
  const bool labelled = !labels.empty();
  if (ending == ".pcd")
    file << "# .PCD v0.7 - Point Cloud Data file format\nVERSION 0.7\nFIELDS x y z intensity"
         << (labelled ? " label" : "") << "\nSIZE 4 4 4 4" << (labelled ? " 4" : "")
         << "\nTYPE F F F F" << (labelled ? " I" : "") << "\nCOUNT 1 1 1 1"
         << (labelled ? " 1" : "") << "\nWIDTH " << count
         << "\nHEIGHT 1\nVIEWPOINT 0 0 0 1 0 0 0\nPOINTS " << count << "\nDATA binary\n";
  else if (ending == ".ply")
    file << "ply\nformat binary_little_endian 1.0\nelement vertex " << count
         << "\nproperty float x\nproperty float y\nproperty float z\nproperty float intensity\n"
         << (labelled ? "property int label\n" : "") << "end_header\n";
  for (std::size_t i = 0; i < points.size(); ++i) {
    put(file, points[i]);
    if (labelled && ending != ".bin") put(file, static_cast<std::int32_t>(labels[i]));
  }
  file.flush();
  if (!file) refuse(path, "it cannot be written");
  if (!labelled || ending != ".bin") return;
  const std::string beside = std::filesystem::path(path).replace_extension(".label").string();
  std::ofstream second(beside, std::ios::binary);
  for (const std::uint32_t label : labels) put(second, label + 1);  // kNoise + 1 is 0
  second.flush();
  if (!second) refuse(beside, "it cannot be written");
}

}  // namespace course
