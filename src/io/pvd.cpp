#include "io/pvd.hpp"

#include <charconv>

#include "io/atomic_file.hpp"
#include "io/xml.hpp"
#include "millrace/error.hpp"

namespace millrace {
namespace {

/// The shortest text that reads back as the same number, whatever the locale.
std::string shortest(double value) {
    char text[32];
    return {text, std::to_chars(text, text + sizeof text, value).ptr};
}

}  // namespace

void write_pvd(const std::filesystem::path& path, const std::vector<PvdEntry>& entries) {
    std::string xml =
        "<?xml version=\"1.0\"?>\n"
        "<VTKFile type=\"Collection\" version=\"1.0\" byte_order=\"LittleEndian\">\n"
        "<Collection>\n";
    for (const PvdEntry& entry : entries)
        xml += "<DataSet timestep=\"" + shortest(entry.time) + "\" part=\"0\" file=\"" +
               xml_escaped(entry.file) + "\"/>\n";
    xml += "</Collection>\n</VTKFile>\n";
    write_file(path, xml);
}

std::vector<PvdEntry> read_pvd(const std::filesystem::path& path) {
    const std::string xml = read_file(path);
    std::vector<PvdEntry> entries;
    try {
        const XmlElement root = XmlElement::parse(xml, "VTKFile");
        if (root.attribute("type") != "Collection")
            throw InputError("not a ParaView collection");
        for (const XmlElement& set : root.child("Collection").children("DataSet")) {
            PvdEntry entry;
            const std::string time = set.attribute("timestep");
            const auto [end, error] =
                std::from_chars(time.data(), time.data() + time.size(), entry.time);
            entry.file = set.attribute("file");
            if (error != std::errc{} || end != time.data() + time.size() || entry.file.empty())
                throw InputError("entry " + std::to_string(entries.size() + 1) +
                                 ": no valid time and file");
            entries.push_back(entry);
        }
    } catch (const InputError& e) {
        throw InputError(path.string() + ": " + e.what());
    }
    return entries;
}

}  // namespace millrace
