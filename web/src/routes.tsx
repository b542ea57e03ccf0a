import { Button } from '@mantine/core'
import { IconBug, IconMapQuestion } from '@tabler/icons-react'
import { type ComponentType, lazy, type ReactNode, Suspense, useEffect } from 'react'
import { createBrowserRouter, Link, type RouteObject, useRouteError } from 'react-router'
import { messageOf } from './api/message-of.ts'
import { t } from './language/messages.ts'
import { loadPart } from './load-part.ts'
import { EmptyState } from './parts/empty-state.tsx'
import { LoadingState } from './parts/loading-state.tsx'
import { Page } from './parts/page.tsx'
import { SCREENS } from './screens.ts'
import { Shell } from './shell/shell.tsx'

/**
 * A screen whose file is loaded when it is first shown. React’s own `lazy`, since a route of react-router with a `lazy` that fails shows
 * nothing in place of its error element.
 */
const loaded = (load: () => Promise<{ readonly default: ComponentType }>, meanwhile: ReactNode = null) => {
  const Screen = lazy(loadPart(load))
  return (
    <Suspense fallback={meanwhile}>
      <Screen />
    </Suspense>
  )
}

const reading = (
  <Page>
    <LoadingState />
  </Page>
)

const NotFound = () => (
  <EmptyState icon={IconMapQuestion} title={t('There is nothing at this address')} heading="h1">
    <title>{t('Not found · Assay')}</title>
    {t('It may have been mistyped, or what was here is gone.')}
    <Button component={Link} to="/app" variant="light" mt="md">
      {t('Back to the start')}
    </Button>
  </EmptyState>
)

/** What a screen shows when it failed to load or to render. The rest of the app goes on. */
const ScreenError = () => {
  const error = useRouteError()
  useEffect(() => console.error(error), [error])
  return (
    <EmptyState icon={IconBug} title={t('This screen failed')} heading="h1">
      <title>{t('This screen failed · Assay')}</title>
      <div role="alert">{messageOf(error)}</div>
      <Button variant="light" mt="md" onClick={() => location.reload()}>
        {t('Reload')}
      </Button>
    </EmptyState>
  )
}

const screens: RouteObject[] = SCREENS.flatMap(({ path, load }) =>
  load === undefined
    ? []
    : // What follows is the screen’s own: it reads it with `useParams()['*']`, or has routes of its own.
      [{ path: `${path}/*`, element: loaded(load, reading), errorElement: <ScreenError /> }],
)

// The screen that the address names is on its way while the shell is drawn. What fails here fails again where it is shown.
SCREENS.find(({ path }) => `${location.pathname}/`.startsWith(`/app/${path}/`))
  ?.load?.()
  .catch(() => {})

/** Every address of the app. Those outside of `/app` are for people who are not signed in. */
export const createRouter = () =>
  createBrowserRouter([
    { path: '/sign-in', element: loaded(() => import('./screens/account/sign-in.tsx')) },
    { path: '/sign-up', element: loaded(() => import('./screens/account/sign-up.tsx')) },
    { path: '/app/invitation', element: loaded(() => import('./screens/invitation/invitation.tsx')) },
    {
      path: '/app',
      element: <Shell />,
      errorElement: <ScreenError />,
      children: [
        {
          index: true,
          element: loaded(() => import('./screens/home/home.tsx'), reading),
          errorElement: <ScreenError />,
        },
        ...screens,
        { path: '*', element: <NotFound /> },
      ],
    },
    { path: '*', element: <NotFound /> },
  ])
