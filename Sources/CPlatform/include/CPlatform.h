// System calls that the Glibc module hides from Swift.
#ifndef MAGNUM_CPLATFORM_H
#define MAGNUM_CPLATFORM_H

#endif
