/* libcurl, for AlidadeData only. Functions with varargs, which Swift cannot call, are wrapped here. */
#ifndef ALIDADE_CCURL_SHIM_H
#define ALIDADE_CCURL_SHIM_H

#include <curl/curl.h>
#include <stdbool.h>

/* The options of a transfer that never change. */
static inline void alidade_curl_prepare(CURL *transfer) {
  curl_easy_setopt(transfer, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(transfer, CURLOPT_NOPROGRESS, 1L);
  /* Each address is checked against the policy before it is used, and so are addresses of redirects. */
  curl_easy_setopt(transfer, CURLOPT_FOLLOWLOCATION, 0L);
  curl_easy_setopt(transfer, CURLOPT_PROTOCOLS_STR, "http,https");
  /* A proxy of the environment would be another host. */
  curl_easy_setopt(transfer, CURLOPT_PROXY, "");
  curl_easy_setopt(transfer, CURLOPT_NETRC, (long)CURL_NETRC_IGNORED);
  /* All encodings that it knows; what is received is counted after decoding. */
  curl_easy_setopt(transfer, CURLOPT_ACCEPT_ENCODING, "");
}

static inline CURLcode alidade_curl_set_text(CURL *transfer, CURLoption option, const char *text) {
  return curl_easy_setopt(transfer, option, text);
}

static inline CURLcode alidade_curl_set_number(CURL *transfer, CURLoption option, long number) {
  return curl_easy_setopt(transfer, option, number);
}

static inline CURLcode alidade_curl_set_headers(CURL *transfer, struct curl_slist *headers) {
  return curl_easy_setopt(transfer, CURLOPT_HTTPHEADER, headers);
}

/* The text is copied. */
static inline CURLcode alidade_curl_set_post(CURL *transfer, const void *bytes, curl_off_t size) {
  curl_easy_setopt(transfer, CURLOPT_POSTFIELDSIZE_LARGE, size);
  return curl_easy_setopt(transfer, CURLOPT_COPYPOSTFIELDS, bytes);
}

/* Both functions receive the context. */
static inline void alidade_curl_set_sinks(CURL *transfer, curl_write_callback body, curl_write_callback header,
                                          void *context) {
  curl_easy_setopt(transfer, CURLOPT_WRITEFUNCTION, body);
  curl_easy_setopt(transfer, CURLOPT_WRITEDATA, context);
  curl_easy_setopt(transfer, CURLOPT_HEADERFUNCTION, header);
  curl_easy_setopt(transfer, CURLOPT_HEADERDATA, context);
}

/* The buffer has CURL_ERROR_SIZE bytes, and lives as long as the transfer. */
static inline void alidade_curl_set_error_buffer(CURL *transfer, char *buffer) {
  curl_easy_setopt(transfer, CURLOPT_ERRORBUFFER, buffer);
}

static inline long alidade_curl_response_code(CURL *transfer) {
  long code = 0;
  curl_easy_getinfo(transfer, CURLINFO_RESPONSE_CODE, &code);
  return code;
}

/* Whether the transfer has ended, and how. */
static inline bool alidade_curl_has_ended(CURLM *transfers, CURLcode *out_code) {
  int rest;
  CURLMsg *message;
  bool found = false;
  while ((message = curl_multi_info_read(transfers, &rest)) != NULL) {
    if (message->msg == CURLMSG_DONE) {
      *out_code = message->data.result;
      found = true;
    }
  }
  return found;
}

#endif
