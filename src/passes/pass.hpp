#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace millrace {

/// What is made frame by frame: surfaces, foam, pictures. A frame that is there is left alone; one
/// that another process makes is waited for; one that cannot be made is told of, and the rest goes
/// on.
struct Pass {
    std::string what;         ///< "surface", for messages
    std::vector<int> frames;  ///< in the order of the work
    bool in_order = false;    ///< each needs the one before
    int jobs = 1;             ///< frames at once; 1 where they need an order
    bool quiet = false;       ///< no progress
    /// The file that tells that a frame is made, and that others are kept from while it is.
    std::function<std::filesystem::path(int)> file;
    /// Makes it. An InputError is about this frame alone.
    std::function<void(int)> make;
    std::function<bool()> stop = [] { return false; };  ///< asked before every frame
};

struct PassOutcome {
    int made = 0, found = 0;          ///< found: by this process already there, or made by another
    std::vector<std::string> errors;  ///< of frames that cannot be made, one line each
    bool stopped = false;

    void add(const PassOutcome& more);
};

/// Throws what `make` throws but InputError, after all jobs have ended; errors of frames are told
/// on stderr as they come.
PassOutcome run_pass(const Pass& pass);

/// A part of the frames that are missing, at most `count`, spread over all of them: made first,
/// they tell what the others take. Takes them out of `pass`.
Pass first_of(Pass& pass, int count);

}  // namespace millrace
