// OpenSSL for Swift: the headers, and inline twins of what OpenSSL defines as macros.
#ifndef MAGNUM_OPENSSL_H
#define MAGNUM_OPENSSL_H

#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/rand.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

#endif
