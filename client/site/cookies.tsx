export default function Cookies() {
  return <h1>Cookie</h1>;
}
