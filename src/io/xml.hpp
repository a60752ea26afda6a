#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace millrace {

/// Text that may stand inside the quotes of an attribute: " & < > as entities.
std::string xml_escaped(std::string_view text);

/// A view of one element of an XML text, enough for the VTK files that this program writes: no
/// comments, no CDATA, no element inside another of the same name. The text must outlive the view.
/// Errors are InputErrors without a file name.
class XmlElement {
  public:
    /// The first element `name` of a text.
    static XmlElement parse(std::string_view xml, std::string_view name);

    /// The value of an attribute, entities resolved; empty if there is none.
    std::string attribute(std::string_view name) const;

    /// What is between the tags, without white space around it.
    std::string_view text() const;

    /// The first element of that name inside this one; it must be there.
    XmlElement child(std::string_view name) const { return parse(body_, name); }

    /// All elements of that name inside this one.
    std::vector<XmlElement> children(std::string_view name) const;

  private:
    static bool find(std::string_view xml, std::string_view name, XmlElement& found,
                     std::size_t& end);

    std::string_view attributes_;
    std::string_view body_;
};

}  // namespace millrace
