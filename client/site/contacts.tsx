export default function Contacts() {
  return <h1>Contatti</h1>;
}
