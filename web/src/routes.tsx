import { Button } from '@mantine/core'
import { IconBug, IconMapQuestion } from '@tabler/icons-react'
import { Component, type ComponentType, lazy, type ReactNode, Suspense } from 'react'
import { Link, Outlet, Route, Routes, useLocation } from 'react-router'
import { pathInApp } from './api/addresses.ts'
import { messageOf } from './api/http.ts'
import { t } from './language/messages.ts'
import { loadPart } from './load-part.ts'
import { Page } from './parts/page.tsx'
import { EmptyState, LoadingState } from './parts/states.tsx'
import { SCREENS } from './screens.ts'
import { AtHome } from './shell/at-home.tsx'
import { Shell } from './shell/shell.tsx'

/** A screen whose file is loaded when it is first shown. */
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

interface FailedProps {
  /** Another address is another try. */
  readonly address: string
  readonly children: ReactNode
}

interface FailedState {
  readonly address: string
  readonly error: unknown
}

/** Shows what a screen that failed to load or to render says. The rest of the app goes on. */
class WhereScreensFail extends Component<FailedProps, FailedState> {
  override state: FailedState = { address: this.props.address, error: null }

  static getDerivedStateFromError = (error: unknown) => ({ error })

  static getDerivedStateFromProps = ({ address }: FailedProps, before: FailedState): FailedState | null =>
    address === before.address ? null : { address, error: null }

  override componentDidCatch(error: unknown) {
    console.error(error)
  }

  override render() {
    const { error } = this.state
    if (error === null) return this.props.children
    return (
      <EmptyState icon={IconBug} title={t('This page could not be shown')} heading="h1">
        <title>{t('This page could not be shown · Assay')}</title>
        <div role="alert">{messageOf(error)}</div>
        <Button variant="light" mt="md" onClick={() => location.reload()}>
          {t('Reload')}
        </Button>
      </EmptyState>
    )
  }
}

// The screen that the address names is on its way while the shell is drawn. What fails here fails again where it is
// shown.
SCREENS.find(({ path }) => `${pathInApp()}/`.startsWith(`/app/${path}/`))
  ?.load?.()
  .catch(() => {})

// Made once: a screen whose file has come is not loaded anew where its route is drawn again.
const screens = SCREENS.flatMap(({ path, hasPages = false, load }) =>
  load === undefined
    ? []
    : // A screen with pages reads what follows with `useParams()['*']`, or has routes of its own.
      [<Route key={path} path={hasPages ? `${path}/*` : path} element={loaded(load, reading)} />],
)
const outside = (
  [
    ['/sign-in', () => import('./screens/account/sign-in.tsx')],
    ['/sign-up', () => import('./screens/account/sign-up.tsx')],
    ['/forgot-password', () => import('./screens/account/forgot-password.tsx')],
    ['/reset-password', () => import('./screens/account/reset-password.tsx')],
    ['/verify-email', () => import('./screens/account/verify-email.tsx')],
    ['/app/invitation', () => import('./screens/invitation/invitation.tsx')],
  ] as const
).map(([path, load]) => <Route key={path} path={path} element={loaded(load)} />)
const welcome = loaded(() => import('./screens/home/home.tsx'), reading)

/** Every address of the app. Those outside of `/app` are for people who are not signed in. */
export const AppRoutes = () => {
  const { pathname } = useLocation()
  return (
    <WhereScreensFail address={pathname}>
      <Routes>
        {outside}
        <Route
          path="/app"
          element={
            <Shell>
              <WhereScreensFail address={pathname}>
                <Outlet />
              </WhereScreensFail>
            </Shell>
          }
        >
          <Route index element={<AtHome welcome={welcome} />} />
          {screens}
          <Route path="*" element={<NotFound />} />
        </Route>
        <Route path="*" element={<NotFound />} />
      </Routes>
    </WhereScreensFail>
  )
}
