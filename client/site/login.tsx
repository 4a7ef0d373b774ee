export default function Login() {
  return <h1>Accedi</h1>;
}
