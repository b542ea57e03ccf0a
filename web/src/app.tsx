import { DirectionProvider, MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { setNonce } from 'get-nonce'
import { type ReactNode, StrictMode, useMemo, useSyncExternalStore } from 'react'
import { createRoot } from 'react-dom/client'
import { unstable_HistoryRouter as HistoryRouter } from 'react-router'
import { shownWorkspace, watchShownWorkspace } from './api/addresses.ts'
import { asksAgainIn } from './api/http.ts'
import { operationKey } from './api/operations.ts'
import { createHistory } from './history.ts'
import { direction } from './language/messages.ts'
import { AppRoutes } from './routes.tsx'
import { Notices } from './shell/deferred-parts.tsx'
import { cssVariables, theme } from './theme.ts'

/**
 * What the Content-Security-Policy of this page lets style elements through with; empty where there is no policy, in
 * development.
 */
const nonce = document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.nonce ?? ''

/** For the library that keeps the page from scrolling under a dialog, which makes a style element of its own. */
setNonce(nonce)

/** How long what was read counts as fresh: moving between screens asks again, re-rendering does not. */
const FRESH_MS = 1000
/** The same of what the person may do, which each part of a screen that comes later looks at. */
const ROLE_FRESH_MS = 15_000

/**
 * What every read and write of the app shares. A failed read is shown at once, and asked again by itself while
 * something is away. Whether the browser thinks that it is online says nothing: the service may be on this very
 * machine.
 */
const createQueryClient = (): QueryClient => {
  const queries = new QueryClient({
    defaultOptions: {
      mutations: { networkMode: 'always' },
      queries: {
        networkMode: 'always',
        retry: false,
        staleTime: FRESH_MS,
        refetchInterval: ({ state: { error } }) => asksAgainIn(error),
      },
    },
  })
  queries.setQueryDefaults(operationKey('list_workspaces'), { staleTime: ROLE_FRESH_MS })
  return queries
}

const WorkspaceRouter = ({ children }: { readonly children: ReactNode }) => {
  const slug = useSyncExternalStore(watchShownWorkspace, shownWorkspace)
  const history = useMemo(() => createHistory(slug), [slug])
  return <HistoryRouter history={history}>{children}</HistoryRouter>
}

/** Called by `main.tsx`, when what the app says is there. */
export const showApp = (root: Element): void =>
  createRoot(root).render(
    <StrictMode>
      <DirectionProvider initialDirection={direction} detectDirection={false}>
        <MantineProvider
          theme={theme}
          cssVariablesResolver={cssVariables}
          defaultColorScheme="auto"
          getStyleNonce={() => nonce}
        >
          <QueryClientProvider client={createQueryClient()}>
            <Notices />
            <WorkspaceRouter>
              <AppRoutes />
            </WorkspaceRouter>
          </QueryClientProvider>
        </MantineProvider>
      </DirectionProvider>
    </StrictMode>,
  )
