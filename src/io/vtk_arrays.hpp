#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "io/xml.hpp"

// What the XML files of VTK have in common: inline arrays in base64, compressed by zlib. T is
// float, double, std::uint32_t, std::int32_t or std::uint8_t. Errors are InputErrors without a file
// name.
namespace millrace {

/// The first lines of a file of that kind, such as UnstructuredGrid.
std::string vtk_start(const std::string& kind);

/// The outermost element; a file of another kind, or not as this program writes it, is an error.
XmlElement vtk_root(std::string_view xml, const std::string& kind);

template <class T>
const char* vtk_type();
template <>
const char* vtk_type<float>();
template <>
const char* vtk_type<double>();
template <>
const char* vtk_type<std::uint32_t>();
template <>
const char* vtk_type<std::int32_t>();
template <>
const char* vtk_type<std::uint8_t>();

template <class T>
void append_vtk_array(std::string& xml, const std::string& name, int components,
                      const std::vector<T>& data, const char* more_attributes = "");

/// A DataArray element, which must hold exactly `count` numbers of type T.
template <class T>
std::vector<T> read_vtk_array(const XmlElement& element, std::size_t count);

/// A number such as NumberOfPoints.
std::size_t read_vtk_count(const XmlElement& piece, const char* attribute);

}  // namespace millrace
