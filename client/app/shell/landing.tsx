import { Navigate } from 'react-router';

/** The index of `/app` (spec §2). */
export default function Landing() {
  return <Navigate to="/app/home" replace />;
}
