import styles from './skeleton.module.css';

/**
 * A placeholder bar for loading content. A plain element, because a loading page has dozens of them and Mantine's
 * consists of four boxes with a dozen CSS variables each.
 * @param height in pixels
 * @param width in pixels or as a CSS length; the full width by default
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
