// What is used of libssl: connections.
//
// Each function stands in for that of the library, which is loaded when the first of them is called (Loading.h).
#include "Loading.h"

#define LIBRARY magnum_libssl

FUNCTION(int, OPENSSL_init_ssl, (uint64_t opts, const OPENSSL_INIT_SETTINGS *settings), (opts, settings))
FUNCTION(long, SSL_CTX_ctrl, (SSL_CTX *ctx, int cmd, long larg, void *parg), (ctx, cmd, larg, parg))
FUNCTION(void, SSL_CTX_free, (SSL_CTX *ctx), (ctx))
FUNCTION(X509_VERIFY_PARAM *, SSL_CTX_get0_param, (SSL_CTX *ctx), (ctx))
FUNCTION(int, SSL_CTX_load_verify_file, (SSL_CTX *ctx, const char *CAfile), (ctx, CAfile))
FUNCTION(SSL_CTX *, SSL_CTX_new, (const SSL_METHOD *meth), (meth))
FUNCTION(void, SSL_CTX_set_cert_verify_callback,
         (SSL_CTX *ctx, int (*cb)(X509_STORE_CTX *, void *), void *arg),
         (ctx, cb, arg))
FUNCTION(void, SSL_CTX_set_default_read_buffer_len, (SSL_CTX *ctx, size_t len), (ctx, len))
FUNCTION(int, SSL_CTX_set_default_verify_dir, (SSL_CTX *ctx), (ctx))
FUNCTION(uint64_t, SSL_CTX_set_options, (SSL_CTX *ctx, uint64_t op), (ctx, op))
FUNCTION(void, SSL_CTX_set_verify, (SSL_CTX *ctx, int mode, SSL_verify_cb callback), (ctx, mode, callback))
FUNCTION(int, SSL_CTX_use_PrivateKey, (SSL_CTX *ctx, EVP_PKEY *pkey), (ctx, pkey))
FUNCTION(int, SSL_CTX_use_certificate, (SSL_CTX *ctx, X509 *x), (ctx, x))
FUNCTION(long, SSL_ctrl, (SSL *ssl, int cmd, long larg, void *parg), (ssl, cmd, larg, parg))
FUNCTION(int, SSL_do_handshake, (SSL *s), (s))
FUNCTION(int, SSL_export_keying_material,
         (SSL *s, unsigned char *out, size_t olen, const char *label, size_t llen,
          const unsigned char *context, size_t contextlen, int use_context),
         (s, out, olen, label, llen, context, contextlen, use_context))
FUNCTION(void, SSL_free, (SSL *ssl), (ssl))
FUNCTION(X509_VERIFY_PARAM *, SSL_get0_param, (SSL *ssl), (ssl))
FUNCTION(X509 *, SSL_get0_peer_certificate, (const SSL *s), (s))
FUNCTION(int, SSL_get_error, (const SSL *s, int ret_code), (s, ret_code))
FUNCTION(const char *, SSL_get_version, (const SSL *s), (s))
FUNCTION(int, SSL_is_init_finished, (const SSL *s), (s))
FUNCTION(SSL *, SSL_new, (SSL_CTX *ctx), (ctx))
FUNCTION(int, SSL_read, (SSL *ssl, void *buf, int num), (ssl, buf, num))
FUNCTION(void, SSL_set_connect_state, (SSL *s), (s))
FUNCTION(int, SSL_set_fd, (SSL *s, int fd), (s, fd))
FUNCTION(int, SSL_shutdown, (SSL *s), (s))
FUNCTION(int, SSL_version, (const SSL *ssl), (ssl))
FUNCTION(int, SSL_write, (SSL *ssl, const void *buf, int num), (ssl, buf, num))
FUNCTION(const SSL_METHOD *, TLS_client_method, (void), ())
