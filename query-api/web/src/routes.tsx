import { createBrowserRouter, type RouteObject } from 'react-router'
import { SCREENS } from './screens.ts'
import { NotFound } from './shell/not-found.tsx'
import { ScreenError } from './shell/screen-error.tsx'
import { Shell } from './shell/shell.tsx'

const screens: RouteObject[] = SCREENS.flatMap(({ path, load }) =>
  load === undefined
    ? []
    : [
        {
          // What follows is the screen’s own: it reads it with `useParams()['*']`, or has routes of its own.
          path: `${path}/*`,
          lazy: async () => ({ Component: (await load()).default }),
          errorElement: <ScreenError />,
        },
      ],
)

/** While the first screen’s file is on its way: nothing, for a moment. */
const STARTING = <div aria-busy="true" />

/** Every address of the app. Those outside of `/app` are for people who are not signed in. */
export const createRouter = () =>
  createBrowserRouter([
    {
      path: '/sign-in',
      hydrateFallbackElement: STARTING,
      lazy: async () => ({ Component: (await import('./screens/account/sign-in.tsx')).SignIn }),
    },
    {
      path: '/sign-up',
      hydrateFallbackElement: STARTING,
      lazy: async () => ({ Component: (await import('./screens/account/sign-up.tsx')).SignUp }),
    },
    {
      path: '/app/invitation',
      hydrateFallbackElement: STARTING,
      lazy: async () => ({ Component: (await import('./screens/invitation/invitation.tsx')).Invitation }),
    },
    {
      path: '/app',
      element: <Shell />,
      hydrateFallbackElement: STARTING,
      errorElement: <ScreenError />,
      children: [
        { index: true, lazy: async () => ({ Component: (await import('./screens/home/home.tsx')).Home }) },
        ...screens,
        { path: '*', element: <NotFound /> },
      ],
    },
    { path: '*', element: <NotFound /> },
  ])
