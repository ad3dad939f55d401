"""Counties of ZIP Codes in PySpark: a pandas_udf on the Python package.

    spark-submit --py-files postgeo-…whl example_pyspark.py codes.csv

Each Python worker opens the dataset once. All workers of a machine share its pages.
"""

import functools
import sys

import pandas as pd

import postgeo


@functools.cache
def dataset():
    """Return the dataset of this worker: the file that POSTGEO_DATA names."""
    return postgeo.open()


def counties(codes: pd.Series) -> pd.Series:
    """Return the FIPS code of the county of each ZIP Code, with None for unknown ones."""
    return dataset().lookup(codes, "county_fips")


def main(path):
    from pyspark.sql import SparkSession
    from pyspark.sql.functions import pandas_udf

    spark = SparkSession.builder.getOrCreate()
    county = pandas_udf(counties, "string")
    customers = spark.read.csv(path, header=True)
    customers.withColumn("county", county("zip")).groupBy("county").count().show()


if __name__ == "__main__":
    main(sys.argv[1])
