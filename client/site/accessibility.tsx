export default function Accessibility() {
  return <h1>Accessibilità</h1>;
}
