import { useEffect } from 'react';
import { useLocation, useNavigate, useNavigation } from 'react-router';
import { answer, api } from '#client/lib/api.ts';
import { isLoadingInBackground } from '#client/lib/background-code.ts';
import { tabStorage } from '#client/lib/storage.ts';

const GOING_TO = 'trasvia:going-to';
const RELOADED_AT = 'trasvia:reloaded-at';
/** From a click to the reload it leads to, or from one reload to the next: short enough not to redirect anybody later. */
const RECENT_MS = 15_000;

type Going = { path: string; at: number };

function readGoing(): Going | null {
  try {
    const going: unknown = JSON.parse(tabStorage.read(GOING_TO) ?? 'null');
    if (typeof going !== 'object' || going === null || !('path' in going) || !('at' in going)) return null;
    const { path, at } = going;
    return typeof path === 'string' && path.startsWith('/app/') && typeof at === 'number'
      ? { path, at }
      : null;
  } catch {
    return null;
  }
}

function rememberGoing(path: string): void {
  tabStorage.write(GOING_TO, JSON.stringify({ path, at: Date.now() }));
}

/** Forgets where a click led: having arrived, or because the user stays after all. */
export const forgetGoing = () => tabStorage.remove(GOING_TO);

/**
 * Whether the document was reloaded soon after `at`, in ms since 1970, however long the reload itself took. If the user
 * navigated to another address, they stay there.
 */
function wasReloadedSoonAfter(at: number): boolean {
  const [load] = performance.getEntriesByType('navigation');
  const isReload = load instanceof PerformanceNavigationTiming && load.type === 'reload';
  return isReload && performance.timeOrigin - at < RECENT_MS;
}

/**
 * Remembers a plain click on a link of the application. The click is known at once, while the router's state may change
 * after a reload.
 */
function rememberClick(event: MouseEvent): void {
  const link = event.target instanceof Element ? event.target.closest('a[href^="/app/"]') : null;
  const opensElsewhere = event.ctrlKey || event.metaKey || event.shiftKey || link?.hasAttribute('target');
  if (link && !opensElsewhere) rememberGoing(link.getAttribute('href') ?? '');
}

/**
 * After a deployment, the code of the next page has another name, so the document is reloaded at its current URL. This
 * continues the navigation to the requested page.
 */
export function useResumedNavigation(): void {
  const navigate = useNavigate();
  const { state, location: next } = useNavigation();
  const { pathname, search } = useLocation();
  const target = state === 'loading' ? next.pathname + next.search : null;

  useEffect(() => {
    const going = readGoing();
    const here = window.location.pathname + window.location.search;
    if (going && wasReloadedSoonAfter(going.at) && going.path !== here)
      void navigate(going.path, { replace: true });
    addEventListener('click', rememberClick, { capture: true });
    return () => removeEventListener('click', rememberClick, { capture: true });
  }, [navigate]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: having arrived anywhere, nothing is left to continue to
  useEffect(forgetGoing, [pathname, search]);
  useEffect(() => {
    if (target === null) return;
    rememberGoing(target);
    return forgetGoing;
  }, [target]);
}

/**
 * Likewise for code that a page loads later (such as a tab): reloads once, unless that was just tried. The page stays
 * if the server does not answer, because then it is not a new version. It also stays for preloaded code and `late`
 * parts, because a reload could lose input; `late` reports the failure itself.
 */
export function useReloadForNewVersion(): void {
  useEffect(() => {
    const onMissingCode = async () => {
      const last = Number(tabStorage.read(RELOADED_AT) ?? 0);
      if (isLoadingInBackground() || Date.now() - last < RECENT_MS || !navigator.onLine) return;
      // Without the time of this reload, the next one could follow at once, and so on.
      if (!tabStorage.write(RELOADED_AT, String(Date.now()))) return;
      const answers = await answer(api.auth.session.$get()).then(
        () => true,
        () => false,
      );
      if (answers) location.reload();
    };
    addEventListener('vite:preloadError', onMissingCode);
    return () => removeEventListener('vite:preloadError', onMissingCode);
  }, []);
}
