// OpenSSL for Swift: the headers, and inline twins of what OpenSSL defines as macros.
#ifndef MAGNUM_OPENSSL_H
#define MAGNUM_OPENSSL_H

#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/pem.h>
#include <openssl/sha.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

// SHA-256 by the functions that OpenSSL calls deprecated: EVP looks for its providers first, which takes a millisecond, and a
// program that takes in one message does little else.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
static inline int magnum_SHA256_begin(SHA256_CTX *context) { return SHA256_Init(context); }

static inline int magnum_SHA256_add(SHA256_CTX *context, const void *octets, size_t count) {
  return SHA256_Update(context, octets, count);
}

static inline int magnum_SHA256_end(SHA256_CTX *context, unsigned char *hash) {
  return SHA256_Final(hash, context);
}
#pragma GCC diagnostic pop

// TLS 1.2 is the least; no renegotiation, no compression.
static inline int magnum_SSL_CTX_restrict(SSL_CTX *context) {
  SSL_CTX_set_options(context, SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION);
  return (int)SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION);
}

// A write may take a part of the octets, and go on later from another address.
static inline void magnum_SSL_CTX_set_partial_writes(SSL_CTX *context) {
  SSL_CTX_set_mode(context, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER |
                                SSL_MODE_RELEASE_BUFFERS);
}

// Reads from the socket in large pieces instead of two calls for each record.
static inline void magnum_SSL_CTX_set_read_ahead(SSL_CTX *context, size_t octets) {
  SSL_CTX_set_read_ahead(context, 1);
  SSL_CTX_set_default_read_buffer_len(context, octets);
}

// A certificate that vouches for the own one, and goes with it.
static inline int magnum_SSL_CTX_add_chain(SSL_CTX *context, X509 *certificate) {
  return (int)SSL_CTX_add1_chain_cert(context, certificate);
}

// The name that the server sees before it chooses its certificate (SNI).
static inline int magnum_SSL_set_server_name(SSL *ssl, const char *name) {
  return (int)SSL_set_tlsext_host_name(ssl, name);
}

static inline int magnum_GENERAL_NAMES_count(const GENERAL_NAMES *names) {
  return sk_GENERAL_NAME_num(names);
}

static inline const GENERAL_NAME *magnum_GENERAL_NAMES_at(const GENERAL_NAMES *names, int index) {
  return sk_GENERAL_NAME_value(names, index);
}

// A name on one line in UTF-8, controls escaped; the BIO is one of memory.
static inline int magnum_X509_NAME_print(BIO *bio, const X509_NAME *name) {
  return X509_NAME_print_ex(bio, name, 0, XN_FLAG_ONELINE & ~(unsigned long)ASN1_STRFLGS_ESC_MSB);
}

static inline long magnum_BIO_content(BIO *bio, char **content) {
  return BIO_get_mem_data(bio, content);
}

#endif
