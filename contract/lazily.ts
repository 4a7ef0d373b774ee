/**
 * `make`, called once, when its result is first needed. For Intl formatters: the first one in a page loads the locale's
 * data, which takes a slow processor longer than all schemas together.
 */
export function lazily<Value extends object>(make: () => Value): () => Value {
  let made: Value | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
