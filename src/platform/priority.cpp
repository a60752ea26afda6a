#include "platform/priority.hpp"

#include <sys/resource.h>
#include <unistd.h>

namespace millrace::platform {

void lower_priority() {
#ifdef __linux__  // elsewhere this would be the whole process
    constexpr int k_nicer = 5;
    const int now = ::getpriority(PRIO_PROCESS, 0);
    static_cast<void>(::setpriority(PRIO_PROCESS, 0, now + k_nicer));  // refused: nothing is lost
#endif
}

}  // namespace millrace::platform
