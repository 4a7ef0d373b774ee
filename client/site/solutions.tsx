export default function Solutions() {
  return <h1>Soluzioni</h1>;
}
