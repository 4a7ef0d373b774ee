-- No statement uses these: accounts are listed without the deleted ones, which profiles_living alone has in this order, and
-- a second factor is found by its account. Each would be written with every new row all the same.
DROP INDEX profiles_created;
DROP INDEX two_factors_secret;
