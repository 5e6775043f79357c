// What is used of libcrypto: digests, signatures, certificates and their checks.
//
// Each function stands in for that of the library, which is loaded when the first of them is called (Loading.h).
#include "Loading.h"

#define LIBRARY magnum_libcrypto

FUNCTION(const unsigned char *, ASN1_STRING_get0_data, (const ASN1_STRING *x), (x))
FUNCTION(int, ASN1_STRING_length, (const ASN1_STRING *x), (x))
FUNCTION(int, ASN1_TIME_to_tm, (const ASN1_TIME *s, struct tm *tm), (s, tm))
FUNCTION(long, BIO_ctrl, (BIO *bp, int cmd, long larg, void *parg), (bp, cmd, larg, parg))
FUNCTION(int, BIO_free, (BIO *a), (a))
FUNCTION(BIO *, BIO_new, (const BIO_METHOD *type), (type))
FUNCTION(BIO *, BIO_new_mem_buf, (const void *buf, int len), (buf, len))
FUNCTION(const BIO_METHOD *, BIO_s_mem, (void), ())
FUNCTION(void, ERR_clear_error, (void), ())
FUNCTION(void, ERR_error_string_n, (unsigned long e, char *buf, size_t len), (e, buf, len))
FUNCTION(unsigned long, ERR_peek_error, (void), ())
FUNCTION(const char *, ERR_reason_error_string, (unsigned long e), (e))
FUNCTION(int, EVP_Digest,
         (const void *data, size_t count, unsigned char *md, unsigned int *size, const EVP_MD *type, ENGINE *impl),
         (data, count, md, size, type, impl))
FUNCTION(int, EVP_DigestSign,
         (EVP_MD_CTX *ctx, unsigned char *sigret, size_t *siglen, const unsigned char *tbs, size_t tbslen),
         (ctx, sigret, siglen, tbs, tbslen))
FUNCTION(int, EVP_DigestSignInit,
         (EVP_MD_CTX *ctx, EVP_PKEY_CTX **pctx, const EVP_MD *type, ENGINE *e, EVP_PKEY *pkey),
         (ctx, pctx, type, e, pkey))
FUNCTION(void, EVP_MD_CTX_free, (EVP_MD_CTX *ctx), (ctx))
FUNCTION(EVP_MD_CTX *, EVP_MD_CTX_new, (void), ())
FUNCTION(void, EVP_PKEY_free, (EVP_PKEY *pkey), (pkey))
FUNCTION(int, EVP_PKEY_get_base_id, (const EVP_PKEY *pkey), (pkey))
FUNCTION(int, EVP_PKEY_get_bits, (const EVP_PKEY *pkey), (pkey))
FUNCTION(int, EVP_PKEY_get_group_name,
         (const EVP_PKEY *pkey, char *name, size_t name_sz, size_t *gname_len),
         (pkey, name, name_sz, gname_len))
FUNCTION(const EVP_MD *, EVP_get_digestbyname, (const char *name), (name))
FUNCTION(const EVP_MD *, EVP_md5, (void), ())
FUNCTION(const EVP_MD *, EVP_sha1, (void), ())
FUNCTION(const EVP_MD *, EVP_sha256, (void), ())
FUNCTION(void, GENERAL_NAMES_free, (GENERAL_NAMES *a), (a))
FUNCTION(unsigned char *, HMAC,
         (const EVP_MD *evp_md, const void *key, int key_len, const unsigned char *data, size_t data_len,
          unsigned char *md, unsigned int *md_len),
         (evp_md, key, key_len, data, data_len, md, md_len))
FUNCTION(const char *, OBJ_nid2sn, (int n), (n))
FUNCTION(int, OPENSSL_init_crypto, (uint64_t opts, const OPENSSL_INIT_SETTINGS *settings), (opts, settings))
FUNCTION(int, OPENSSL_sk_num, (const OPENSSL_STACK *stack), (stack))
FUNCTION(void *, OPENSSL_sk_value, (const OPENSSL_STACK *stack, int index), (stack, index))
FUNCTION(EVP_PKEY *, PEM_read_bio_PrivateKey, (BIO *out, EVP_PKEY **x, pem_password_cb *cb, void *u), (out, x, cb, u))
FUNCTION(X509 *, PEM_read_bio_X509, (BIO *out, X509 **x, pem_password_cb *cb, void *u), (out, x, cb, u))
FUNCTION(int, PKCS5_PBKDF2_HMAC,
         (const char *pass, int passlen, const unsigned char *salt, int saltlen, int iter,
          const EVP_MD *digest, int keylen, unsigned char *out),
         (pass, passlen, salt, saltlen, iter, digest, keylen, out))
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
FUNCTION(int, SHA256_Final, (unsigned char *md, SHA256_CTX *c), (md, c))
FUNCTION(int, SHA256_Init, (SHA256_CTX *c), (c))
FUNCTION(int, SHA256_Update, (SHA256_CTX *c, const void *data, size_t len), (c, data, len))
#pragma GCC diagnostic pop
FUNCTION(ASN1_STRING *, X509_NAME_ENTRY_get_data, (const X509_NAME_ENTRY *ne), (ne))
FUNCTION(X509_NAME_ENTRY *, X509_NAME_get_entry, (const X509_NAME *name, int loc), (name, loc))
FUNCTION(int, X509_NAME_get_index_by_NID, (const X509_NAME *name, int nid, int lastpos), (name, nid, lastpos))
FUNCTION(int, X509_NAME_print_ex,
         (BIO *out, const X509_NAME *nm, int indent, unsigned long flags),
         (out, nm, indent, flags))
FUNCTION(void, X509_STORE_CTX_free, (X509_STORE_CTX *ctx), (ctx))
FUNCTION(X509 *, X509_STORE_CTX_get0_cert, (const X509_STORE_CTX *ctx), (ctx))
FUNCTION(X509_VERIFY_PARAM *, X509_STORE_CTX_get0_param, (const X509_STORE_CTX *ctx), (ctx))
FUNCTION(STACK_OF(X509) *, X509_STORE_CTX_get0_untrusted, (const X509_STORE_CTX *ctx), (ctx))
FUNCTION(int, X509_STORE_CTX_get_error, (const X509_STORE_CTX *ctx), (ctx))
FUNCTION(int, X509_STORE_CTX_init,
         (X509_STORE_CTX *ctx, X509_STORE *trust_store, X509 *target, STACK_OF(X509) *untrusted),
         (ctx, trust_store, target, untrusted))
FUNCTION(X509_STORE_CTX *, X509_STORE_CTX_new, (void), ())
FUNCTION(void, X509_STORE_CTX_set_error, (X509_STORE_CTX *ctx, int s), (ctx, s))
FUNCTION(X509_STORE *, X509_STORE_new, (void), ())
FUNCTION(int, X509_STORE_set_default_paths, (X509_STORE *ctx), (ctx))
FUNCTION(int, X509_VERIFY_PARAM_set1, (X509_VERIFY_PARAM *to, const X509_VERIFY_PARAM *from), (to, from))
FUNCTION(int, X509_VERIFY_PARAM_set1_host,
         (X509_VERIFY_PARAM *param, const char *name, size_t namelen),
         (param, name, namelen))
FUNCTION(int, X509_VERIFY_PARAM_set1_ip_asc, (X509_VERIFY_PARAM *param, const char *ipasc), (param, ipasc))
FUNCTION(int, X509_VERIFY_PARAM_set_flags, (X509_VERIFY_PARAM *param, unsigned long flags), (param, flags))
FUNCTION(void, X509_VERIFY_PARAM_set_hostflags, (X509_VERIFY_PARAM *param, unsigned int flags), (param, flags))
FUNCTION(int, X509_check_private_key, (const X509 *x509, const EVP_PKEY *pkey), (x509, pkey))
FUNCTION(int, X509_digest,
         (const X509 *data, const EVP_MD *type, unsigned char *md, unsigned int *len),
         (data, type, md, len))
FUNCTION(void, X509_free, (X509 *a), (a))
FUNCTION(const ASN1_TIME *, X509_get0_notAfter, (const X509 *x), (x))
FUNCTION(void *, X509_get_ext_d2i, (const X509 *x, int nid, int *crit, int *idx), (x, nid, crit, idx))
FUNCTION(X509_NAME *, X509_get_issuer_name, (const X509 *a), (a))
FUNCTION(int, X509_get_signature_info,
         (X509 *x, int *mdnid, int *pknid, int *secbits, uint32_t *flags),
         (x, mdnid, pknid, secbits, flags))
FUNCTION(X509_NAME *, X509_get_subject_name, (const X509 *a), (a))
FUNCTION(int, X509_verify_cert, (X509_STORE_CTX *ctx), (ctx))
FUNCTION(const char *, X509_verify_cert_error_string, (long n), (n))
