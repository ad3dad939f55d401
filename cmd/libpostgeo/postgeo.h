/* postgeo.h - the C interface of postgeo: postal geography of the United States and Canada.
 *
 * Results. Functions return POSTGEO_OK or the kind of an error. After an error,
 * postgeo_last_error() returns its description. Output arguments are then unchanged.
 *
 * Text is UTF-8 and ends with a NUL. JSON has the members of the HTTP interface.
 *
 * Ownership. Inputs belong to the caller and are not kept. Free each char * that a function
 * writes with postgeo_free().
 *
 * Threads. Every function may be called from any number of threads at once. A dataset that is
 * closed during a call stays open until the call ends. Later calls return POSTGEO_CLOSED.
 * Errors are kept for each thread. Do not fork() after the library is loaded, except to exec().
 */
#ifndef POSTGEO_H
#define POSTGEO_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
	POSTGEO_OK = 0,
	POSTGEO_NOT_FOUND = 1,     /* well-formed, but does not exist */
	POSTGEO_INVALID_CODE = 2,  /* not a code, coordinate or address */
	POSTGEO_INVALID_PARAM = 3, /* an argument or option is out of range */
	POSTGEO_UNAVAILABLE = 4,   /* the dataset lacks the required data */
	POSTGEO_AMBIGUOUS = 5,     /* several records match equally well */
	POSTGEO_DAMAGED = 6,       /* the dataset file is damaged */
	POSTGEO_CLOSED = 7,        /* the dataset is closed or unknown */
	POSTGEO_NOT_DATASET = 8,   /* the file is not a dataset */
	POSTGEO_VERSION = 9,       /* the dataset has an unsupported format version */
	POSTGEO_OTHER = 10         /* the operating system, or a defect */
} postgeo_status;

typedef uint64_t postgeo_db; /* an open dataset; 0 is none */

/* Returns the version of this interface. It changes if a program must be compiled again. */
int32_t postgeo_abi(void);

/* Opens a dataset. NULL or "" means the file that POSTGEO_DATA names, else the user's, else
 * the embedded sample. "sample" is the sample. */
int32_t postgeo_open(const char *path, postgeo_db *db);

/* Closes a dataset. */
int32_t postgeo_close(postgeo_db db);

/* Runs an operation, such as "lookup" or "radius". Arguments are a JSON object such as
 * {"code": "90210"}; NULL means none. Writes its result as JSON.
 *
 * "operations" lists the operations with their parameters; it needs no dataset.
 * "info" returns the version, layers and sources of the dataset.
 * "enrich" adds columns to up to 10,000,000 rows. Its arguments:
 *   rows          list of codes or addresses, or of coordinates [latitude, longitude]; null is
 *                 a row without a key
 *   kind          "code" (default), "coordinates" or "address"
 *   fields        list of paths as of postgeo enrich, such as "city" or "census.county.fips"
 *   status        true adds the columns postgeo_status and postgeo_reason
 *   restore_zeros true reads 501 as 00501
 *   as_of, plan   day or name of the district plans
 * Its result is {"columns": [{"name", "type", "values"}]} with a value for each row, null
 * for rows without a match. */
int32_t postgeo_call(postgeo_db db, const char *operation, const char *arguments, char **json);

/* Returns the last error of this thread as JSON {"status", "kind", "message", "code", "param",
 * "input", "range"}, or "". It is valid until the thread's next error. Do not free it. */
const char *postgeo_last_error(void);

/* Frees a text of this library. NULL is permitted. */
void postgeo_free(char *text);

#ifdef __cplusplus
}
#endif
#endif
