// A library needs a source; what is linked with this one is what counts.
