export default function Pricing() {
  return <h1>Piani su misura per ogni trasferta</h1>;
}
