/* Looks up codes and coordinates of the sample in batches and prints the results. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "postgeo.h"

static void must(int32_t status) {
	if (status != POSTGEO_OK) {
		fprintf(stderr, "%s\n", postgeo_last_error());
		exit(1);
	}
}

/* Prints a utf8 column of an entry. */
static void print_text(const struct ArrowArray *column, int32_t entry) {
	const uint8_t *valid = column->buffers[0];
	if (column->null_count > 0 && !(valid[entry / 8] >> (entry % 8) & 1)) {
		printf(" -");
		return;
	}
	const int32_t *ends = column->buffers[1];
	const char *text = column->buffers[2];
	printf(" %.*s", (int)(ends[entry + 1] - ends[entry]), text + ends[entry]);
}

/* Prints one line for each row. */
static void print_rows(const int32_t *index, int64_t rows, struct ArrowArray *entries, struct ArrowSchema *schema) {
	for (int64_t row = 0; row < rows; row++) {
		printf("%" PRId64 ":", row);
		for (int64_t i = 0; i < entries->n_children; i++) {
			print_text(entries->children[i], index[row]);
		}
		printf("\n");
	}
	entries->release(entries);
	schema->release(schema);
}

int main(int argc, char **argv) {
	postgeo_db db;
	must(postgeo_open(argc > 1 ? argv[1] : "sample", &db));

	char *json;
	must(postgeo_call(db, "distance", "{\"from\": \"90210\", \"to\": \"10001\"}", &json));
	printf("%s\n", strstr(json, "\"distance\":"));
	postgeo_free(json);

	postgeo_columns columns;
	must(postgeo_columns_open(db, "{\"fields\": [\"city\", \"county_fips\"], \"status\": true}", &columns));

	/* rows of 5 bytes, without separators */
	static const char codes[] = "90210" "10001" "99999" "90210";
	int32_t index[4];
	struct ArrowArray entries = {0};
	struct ArrowSchema schema = {0};
	must(postgeo_columns_index(columns, codes, 5, 4, index, &entries, &schema));
	print_rows(index, 4, &entries, &schema);

	/* one column as text of fixed size */
	char counties[4][8];
	must(postgeo_columns_text(columns, 1, codes, 5, 4, counties[0], sizeof counties[0]));
	printf("%s %s\n", counties[0], counties[3]);
	must(postgeo_columns_close(columns));

	/* counties of coordinates */
	const double lat[] = {34.09, 0}, lon[] = {-118.41, 0};
	must(postgeo_areas(db, "county", lat, lon, 2, index, &entries, &schema));
	print_rows(index, 2, &entries, &schema);

	int32_t status = postgeo_call(db, "lookup", "{\"code\": \"99999\"}", &json);
	printf("%d %s\n", status, postgeo_last_error());

	must(postgeo_close(db));
	status = postgeo_info(db, &json);
	printf("%d\n", status);
	return 0;
}
