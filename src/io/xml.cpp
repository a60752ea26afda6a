#include "io/xml.hpp"

#include <algorithm>
#include <iterator>

#include "millrace/error.hpp"

namespace millrace {
namespace {

constexpr std::string_view k_space = " \t\r\n";

std::string_view trimmed(std::string_view text) {
    const std::size_t begin = text.find_first_not_of(k_space);
    if (begin == std::string_view::npos)
        return {};
    return text.substr(begin, text.find_last_not_of(k_space) - begin + 1);
}

struct Entity {
    char plain;
    std::string_view escaped;
};
constexpr Entity k_entities[] = {{'&', "&amp;"}, {'"', "&quot;"}, {'<', "&lt;"}, {'>', "&gt;"}};

std::string unescaped(std::string_view text) {
    std::string plain;
    while (!text.empty()) {
        char next = text.front();
        std::size_t length = 1;
        for (const Entity& entity : k_entities)
            if (text.starts_with(entity.escaped)) {
                next = entity.plain;
                length = entity.escaped.size();
            }
        plain += next;
        text.remove_prefix(length);
    }
    return plain;
}

}  // namespace

std::string xml_escaped(std::string_view text) {
    std::string escaped;
    for (const char c : text) {
        const auto* entity = std::find_if(std::begin(k_entities), std::end(k_entities),
                                          [c](const Entity& e) { return e.plain == c; });
        if (entity != std::end(k_entities))
            escaped += entity->escaped;
        else
            escaped += c;
    }
    return escaped;
}

/// The first element `name` of `xml`; `end` is the place after it.
bool XmlElement::find(std::string_view xml, std::string_view name, XmlElement& found,
                      std::size_t& end) {
    const std::string open = std::string("<").append(name);
    std::size_t begin = 0;
    for (;; ++begin) {
        begin = xml.find(open, begin);
        if (begin == std::string_view::npos)
            return false;
        const std::size_t next = begin + open.size();
        if (next < xml.size() && (k_space.find(xml[next]) != std::string_view::npos ||
                                  xml[next] == '>' || xml[next] == '/'))
            break;  // else a longer name, such as PointData for Point
    }
    const std::size_t start = begin + open.size();
    const std::size_t close = xml.find('>', start);
    if (close == std::string_view::npos)
        throw InputError("incomplete: the tag <" + std::string(name) + " has no end");
    found.attributes_ = xml.substr(start, close - start);
    if (found.attributes_.ends_with('/')) {
        found.attributes_.remove_suffix(1);
        found.body_ = {};
        end = close + 1;
        return true;
    }
    const std::string last = "</" + std::string(name) + ">";
    const std::size_t stop = xml.find(last, close + 1);
    if (stop == std::string_view::npos)
        throw InputError("incomplete: no " + last);
    found.body_ = xml.substr(close + 1, stop - close - 1);
    end = stop + last.size();
    return true;
}

XmlElement XmlElement::parse(std::string_view xml, std::string_view name) {
    XmlElement found;
    std::size_t end = 0;
    if (!find(xml, name, found, end))
        throw InputError("no <" + std::string(name) + "> in it");
    return found;
}

std::vector<XmlElement> XmlElement::children(std::string_view name) const {
    std::vector<XmlElement> all;
    XmlElement found;
    std::size_t end = 0;
    for (std::string_view rest = body_; find(rest, name, found, end); rest.remove_prefix(end))
        all.push_back(found);
    return all;
}

std::string XmlElement::attribute(std::string_view name) const {
    const std::string start = std::string(name) + "=\"";
    std::size_t begin = 0;
    for (;; ++begin) {
        begin = attributes_.find(start, begin);
        if (begin == std::string_view::npos)
            return {};
        if (begin > 0 && k_space.find(attributes_[begin - 1]) != std::string_view::npos)
            break;  // else the end of a longer name
    }
    begin += start.size();
    const std::size_t end = attributes_.find('"', begin);
    if (end == std::string_view::npos)
        return {};
    return unescaped(attributes_.substr(begin, end - begin));
}

std::string_view XmlElement::text() const {
    return trimmed(body_);
}

}  // namespace millrace
