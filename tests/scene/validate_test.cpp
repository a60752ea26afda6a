// A scene that a program has built is refused for what its file would be refused for.
#include <gtest/gtest.h>

#include "millrace/error.hpp"
#include "millrace/scene.hpp"
#include "scene/keys.hpp"
#include "scene_test.hpp"
#include "support/paths.hpp"

namespace millrace::scene_test {
namespace {

template <class Function>
std::string said_by(const Function& function) {
    try {
        function();
    } catch (const InputError& e) {
        return e.what();
    }
    return "";
}

constexpr int k_kinds = 4;

/// Visits everything that a scene holds and spoils the value of a given number, in one of k_kinds
/// ways. What is not there, such as another shape, is made.
class Spoil {
  public:
    Spoil(int number, int kind) : left_(number), kind_(kind) {}

    bool is_done() const { return left_ < 0; }
    const std::string& place() const { return place_; }

    void spoil(double& x) {
        const double values[k_kinds] = {-7.5, 0, 1e16, 0.3};
        if (is_turn())
            x = values[kind_];
    }
    template <std::integral Integer>
    void spoil(Integer& n) {
        const int values[k_kinds] = {-3, 0, 5, 1};
        if (is_turn())
            n = static_cast<Integer>(values[kind_]);
    }
    void spoil(bool& flag) {
        if (is_turn())
            flag = !flag;
    }
    void spoil(std::string& text) {
        const char* values[k_kinds] = {"", "nonsense", "a/b", "none"};
        if (is_turn())
            text = values[kind_];
    }
    void spoil(Vector& vector) {
        const Vector values[k_kinds] = {{0, 0, 0}, {1, 2, 3}, {-1, 1e16, 0}, {0.5, 0.5, 0}};
        if (is_turn())
            vector = values[kind_];
    }
    template <class T>
    void spoil(std::optional<T>& optional) {
        if (is_turn()) {
            if (kind_ == 0)
                optional.reset();
            else
                optional.emplace();
        }
        if (optional)
            spoil(*optional);
    }
    template <class T>
    void spoil(std::vector<T>& list) {
        if (is_turn()) {
            if (kind_ == 0)
                list.clear();
            else if (kind_ == 1 || list.empty())
                list.emplace_back();
            else
                list.push_back(list.front());
        }
        for (T& entry : list)
            spoil(entry);
    }
    template <scene_file::Described S>
    void spoil(S& object) {
        Object<S> visitor{*this, object};
        scene_file::describe(visitor, &object);
    }

  private:
    template <class S>
    struct Object {
        Spoil& spoiler;
        S& object;
        template <class T>
        void operator()(const scene_file::Key& key, T S::*member) {
            const bool before = spoiler.is_done();
            spoiler.spoil(object.*member);
            if (!before && spoiler.is_done())
                spoiler.place_ = std::string(key.name) + " " + spoiler.place_;
        }
        template <class Variant, class T>
        void operator()(const scene_file::Key& key,
                        scene_file::Alternative<S, Variant, T> alternative) {
            T* held = std::get_if<T>(&(object.*alternative.member));
            if (!held)
                return;
            const bool before = spoiler.is_done();
            spoiler.spoil(*held);
            if (!before && spoiler.is_done())
                spoiler.place_ = std::string(key.name) + " " + spoiler.place_;
        }
    };
    bool is_turn() { return left_-- == 0; }

    int left_, kind_;
    std::string place_;
};

void expect_the_refusals_of_its_file(const Scene& scene) {
    int refused = 0, number = 0;
    for (bool more = true; more; ++number) {
        for (int kind = 0; kind < k_kinds; ++kind) {
            Scene spoiled = scene;
            Spoil spoil(number, kind);
            spoil.spoil(spoiled);
            more = spoil.is_done();
            const std::string said = said_by([&] { validate_scene(spoiled, "built"); });
            EXPECT_EQ(said, said_by([&] { parse_scene(scene_to_json(spoiled), "built"); }))
                << spoil.place() << ", kind " << kind;
            refused += !said.empty();
        }
    }
    EXPECT_GT(number, 50);
    EXPECT_GT(refused, number);
}

TEST(SceneValidate, SaysWhatReadingItsFileSays) {
    for (const char* name : {"dam_break", "harbour", "oil_and_water", "water_wheel", "2d/pump",
                             "2d/goo_on_stairs", "whirls_2d"}) {
        SCOPED_TRACE(name);
        expect_the_refusals_of_its_file(
            parse_scene(file_text(in_sources("scenes/" + std::string(name) + ".json")), "example"));
    }
}

}  // namespace
}  // namespace millrace::scene_test
