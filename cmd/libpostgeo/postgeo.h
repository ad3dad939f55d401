/* postgeo.h - the C interface of postgeo: postal geography of the United States and Canada.
 *
 * Results. Functions return POSTGEO_OK or the kind of an error. After an error,
 * postgeo_last_error() returns its description. Output arguments are then unchanged.
 *
 * Text is UTF-8 and ends with a NUL. JSON has the members of the HTTP interface.
 *
 * Ownership. Inputs belong to the caller and are not kept. Free each char * that a function
 * writes with postgeo_free(). Call release of each ArrowArray and ArrowSchema that a function
 * writes, before or after its handle is closed. postgeo_columns_arrow() takes over its input
 * and releases it, also after an error.
 *
 * Threads. Every function may be called from any number of threads at once. A handle that is
 * closed during a call stays valid until the call ends. Later calls return POSTGEO_CLOSED.
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
	POSTGEO_CLOSED = 7,        /* the handle is closed or unknown */
	POSTGEO_NOT_DATASET = 8,   /* the file is not a dataset */
	POSTGEO_VERSION = 9,       /* the dataset has an unsupported format version */
	POSTGEO_OTHER = 10         /* the operating system, or a defect */
} postgeo_status;

typedef uint64_t postgeo_db;      /* an open dataset; 0 is none */
typedef uint64_t postgeo_columns; /* fields that are added to rows; 0 is none */

/* The Arrow C data interface, https://arrow.apache.org/docs/format/CDataInterface.html */
#ifndef ARROW_C_DATA_INTERFACE
#define ARROW_C_DATA_INTERFACE
#define ARROW_FLAG_DICTIONARY_ORDERED 1
#define ARROW_FLAG_NULLABLE 2
#define ARROW_FLAG_MAP_KEYS_SORTED 4

struct ArrowSchema {
	const char *format;
	const char *name;
	const char *metadata;
	int64_t flags;
	int64_t n_children;
	struct ArrowSchema **children;
	struct ArrowSchema *dictionary;
	void (*release)(struct ArrowSchema *);
	void *private_data;
};

struct ArrowArray {
	int64_t length;
	int64_t null_count;
	int64_t offset;
	int64_t n_buffers;
	int64_t n_children;
	const void **buffers;
	struct ArrowArray **children;
	struct ArrowArray *dictionary;
	void (*release)(struct ArrowArray *);
	void *private_data;
};
#endif

/* Returns the version of this interface. It changes if a program must be compiled again. */
int32_t postgeo_abi(void);

/* Opens a dataset. NULL means the file that POSTGEO_DATA names, else the user's, else the
 * embedded sample of invented data. "sample" is the sample. */
int32_t postgeo_open(const char *path, postgeo_db *db);

/* Closes a dataset. Its columns can only be closed then. */
int32_t postgeo_close(postgeo_db db);

/* Verifies a file and serves later calls from it. After an error the old file stays. */
int32_t postgeo_swap(postgeo_db db, const char *path);

/* Writes the dataset's version, layers and sources as JSON. */
int32_t postgeo_info(postgeo_db db, char **json);

/* Returns the last error of this thread as JSON {"status", "kind", "message", "code", "param",
 * "input", "range"}, or "". It is valid until the thread's next error. Do not free it. */
const char *postgeo_last_error(void);

/* Frees a text of this library. NULL is permitted. */
void postgeo_free(char *text);

/* Writes the operations with their parameters as JSON. */
int32_t postgeo_operations(char **json);

/* Runs one operation, such as "lookup" or "radius". Arguments are a JSON object such as
 * {"code": "90210"}; NULL means none. Writes its result as JSON. */
int32_t postgeo_call(postgeo_db db, const char *operation, const char *arguments, char **json);

/* Prepares fields for many rows. Options are a JSON object:
 *   kind          "code" (default), "coordinates", "address" or "text": what rows are
 *   fields        list of paths as of postgeo enrich, such as "city" or "census.county.fips"
 *   status        true adds the columns postgeo_status and postgeo_reason
 *   restore_zeros true reads 501 as 00501
 *   distance_to   place that the distance fields measure to
 *   pairs         true: each row is a place, a tab and the place to measure to
 *   as_of, plan   day or name of the district plans */
int32_t postgeo_columns_open(postgeo_db db, const char *options, postgeo_columns *columns);
int32_t postgeo_columns_close(postgeo_columns columns);

/* Writes the columns as JSON: a list of {"name", "path", "type"}. */
int32_t postgeo_columns_fields(postgeo_columns columns, char **json);

/* Finds rows by keys in a buffer of rows * width bytes. Shorter keys are padded with NUL.
 * Writes the number of each row's entry to index, which has room for one int32_t per row.
 * Writes an Arrow struct with one entry for each distinct key. Its columns are utf8, int64,
 * double or bool; lists and objects are JSON in utf8. Rows without a match have nulls. */
int32_t postgeo_columns_index(postgeo_columns columns, const char *keys, int64_t width, int64_t rows,
                              int32_t *index, struct ArrowArray *entries, struct ArrowSchema *schema);

/* Like postgeo_columns_index for rows that are coordinates in degrees. NaN is no coordinate. */
int32_t postgeo_columns_points(postgeo_columns columns, const double *latitude, const double *longitude, int64_t rows,
                               int32_t *index, struct ArrowArray *entries, struct ArrowSchema *schema);

/* Like postgeo_columns_index, but writes the text of one column to a buffer of rows * size
 * bytes, padded with NUL. A longer text is POSTGEO_INVALID_PARAM. */
int32_t postgeo_columns_text(postgeo_columns columns, int64_t column, const char *keys, int64_t width, int64_t rows,
                             char *text, int64_t size);

/* Finds rows of an Arrow array: texts or bytes (also large or view), whole numbers,
 * dictionaries of them, or for coordinates a struct of two doubles. Writes an Arrow struct
 * with one entry for each row. */
int32_t postgeo_columns_arrow(postgeo_columns columns, struct ArrowArray *rows, struct ArrowSchema *rows_schema,
                              struct ArrowArray *entries, struct ArrowSchema *schema);

/* Finds the area of a layer around each coordinate, such as its "county" or "tract". Writes
 * to index and entries as postgeo_columns_index does; the column is geoid. */
int32_t postgeo_areas(postgeo_db db, const char *layer, const double *latitude, const double *longitude, int64_t rows,
                      int32_t *index, struct ArrowArray *entries, struct ArrowSchema *schema);

#ifdef __cplusplus
}
#endif
#endif
