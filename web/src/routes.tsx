import { type ComponentType, lazy, type ReactNode, Suspense } from 'react'
import { createBrowserRouter, type RouteObject } from 'react-router'
import { LoadingState } from './parts/loading-state.tsx'
import { Page } from './parts/page.tsx'
import { SCREENS } from './screens.ts'
import { NotFound } from './shell/not-found.tsx'
import { ScreenError } from './shell/screen-error.tsx'
import { Shell } from './shell/shell.tsx'

/**
 * A screen whose file is loaded when it is first shown. React’s own `lazy`, since a route of react-router with a `lazy` that fails shows
 * nothing in place of its error element.
 */
const loaded = (load: () => Promise<{ readonly default: ComponentType }>, meanwhile: ReactNode = null) => {
  const Screen = lazy(load)
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
