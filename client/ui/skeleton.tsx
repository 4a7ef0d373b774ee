import styles from './skeleton.module.css';

/**
 * A bar in the place of what is loading. A plain element: a page that loads has dozens of them, and each of the library's is
 * four boxes to lay out and a dozen variables to work out.
 * @param height in pixels
 * @param width in pixels, or as a length of CSS; all there is unless told
 * @param margin as in CSS
 */
export function Skeleton({
  height,
  width,
  margin,
  round = false,
  className,
}: {
  height: number;
  width?: number | string;
  margin?: string;
  round?: boolean;
  className?: string | undefined;
}) {
  return (
    <div
      aria-hidden="true"
      className={className ? `${styles.skeleton} ${className}` : styles.skeleton}
      data-round={round || undefined}
      style={{ height, width, margin }}
    />
  );
}
