// Expat for Swift.
#ifndef MAGNUM_EXPAT_H
#define MAGNUM_EXPAT_H

#include <expat.h>

#endif
