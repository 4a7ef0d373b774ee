export default function Company() {
  return <h1>Cosa facciamo</h1>;
}
