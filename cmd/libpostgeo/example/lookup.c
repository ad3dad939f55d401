/* Measures a distance and adds columns to rows of the sample. */
#include <stdio.h>
#include <stdlib.h>

#include "postgeo.h"

/* Runs an operation and prints its result, or its error. */
static void call(postgeo_db db, const char *operation, const char *arguments) {
	char *json;
	int32_t status = postgeo_call(db, operation, arguments, &json);
	if (status != POSTGEO_OK) {
		printf("%d %s\n", status, postgeo_last_error());
		return;
	}
	printf("%s\n", json);
	postgeo_free(json);
}

int main(int argc, char **argv) {
	postgeo_db db;
	if (postgeo_open(argc > 1 ? argv[1] : "sample", &db) != POSTGEO_OK) {
		fprintf(stderr, "%s\n", postgeo_last_error());
		return 1;
	}
	call(db, "distance", "{\"from\": \"90210\", \"to\": \"10001\"}");
	call(db, "enrich", "{\"rows\": [\"90210\", \"10001\", \"99999\"], \"fields\": [\"city\", \"county_fips\"], \"status\": true}");
	call(db, "enrich", "{\"rows\": [[34.09, -118.41], null], \"kind\": \"coordinates\", \"fields\": [\"county_fips\"]}");
	call(db, "lookup", "{\"code\": \"99999\"}");
	postgeo_close(db);
	call(db, "info", NULL);
	return 0;
}
