#pragma once

#include <initializer_list>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "scene/scene_json.hpp"

// What the parts of the import of SPlisHSPlasH scenes share.
namespace millrace::scene_file::splishsplash {

/// The file that is read, and what is said about it.
struct Log {
    const std::string& file;
    std::vector<std::string>& warnings;
    std::set<std::string> without_effect = {};  ///< keys of its window, its export, its sampling

    void warn(const std::string& place, const std::string& text) {
        warnings.push_back(file + ": " + place + ": " + text);
    }
};

/// An object of such a scene, read key by key; finish() reports what nobody asked for.
class Object {
  public:
    Object(const Json& value, std::string place, Log& log);

    bool has(std::string_view key);
    double number(std::string_view key, double missing);
    int whole(std::string_view key, int missing);
    bool flag(std::string_view key, bool missing);
    std::string text(std::string_view key, const std::string& missing);
    Vector vector(std::string_view key, const Vector& missing);

    /// The value of a key as it is, null if it is not there.
    const Json& value(std::string_view key);

    /// Known keys that have no effect on the motion of the fluid, or none here.
    void skip(std::initializer_list<std::string_view> keys);

    /// Known keys that are read elsewhere, or are said to be ignored.
    void know(std::initializer_list<std::string_view> keys);

    void warn(std::string_view key, const std::string& text);
    [[noreturn]] void fail(std::string_view key, const std::string& problem) const;

    /// One warning for each key that is not known.
    void finish();

    const std::string& place() const { return place_; }

  private:
    const Json& json_;
    std::string place_;
    Log& log_;
    std::vector<std::string_view> known_;
};

/// The entries of a list of objects, "RigidBodies[0]" and so on.
std::vector<Object> objects(const Json& root, const std::string& name, Log& log);

/// `rotationAxis` and `rotationAngle` [radians].
Rotation rotation(Object& object);

/// A converted number, with as many digits as it is good for: three.
double rounded(double value);

/// A name that may be a part of a file name.
std::string clean_name(const std::string& text, const std::string& missing);

/// Absolute path of a mesh; refuses what cannot be read.
std::string mesh_path(Object& object, std::string_view key, const std::string& scene_path);

/// UnitBox.obj of its examples: a cube of 1 m around the origin, whether the file is there or not.
bool is_unit_box(const std::string& file);

// The sections of a scene, in the order in which they are read.
void read_configuration(const Json& root, Scene& scene, Log& log);
void read_fluids(const Json& root, const std::string& path, Scene& scene, Log& log);
void read_rigid_bodies(const Json& root, const std::string& path, Scene& scene, Log& log);

}  // namespace millrace::scene_file::splishsplash
