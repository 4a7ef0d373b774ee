export default function Home() {
  return <h1>Trasferte di gruppo</h1>;
}
