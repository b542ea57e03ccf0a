import {
  Badge,
  type CSSVariablesResolver,
  createTheme,
  type MantineColorsTuple,
  Menu,
  Modal,
  Tooltip,
} from '@mantine/core'
import { t } from './language/messages.ts'

const SANS = 'system-ui, -apple-system, "Segoe UI", Roboto, Ubuntu, Cantarell, "Noto Sans", sans-serif'
const MONO = 'ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace'

/** The one accent: what can be acted on, and what is chosen. */
const accent: MantineColorsTuple = [
  '#eef1fe',
  '#dde3fb',
  '#bcc7f6',
  '#98a8f1',
  '#7a8eec',
  '#6078e6',
  '#4459cf',
  '#3a4cb4',
  '#303f94',
  '#263275',
]

/** Slightly blue, so that grey surfaces and the accent belong together. */
const gray: MantineColorsTuple = [
  '#f8f9fb',
  '#f1f3f6',
  '#e7eaef',
  '#d9dee5',
  '#c3cad4',
  '#9aa4b2',
  '#5f6975',
  '#4b5460',
  '#303741',
  '#1b2027',
]

/** From text to the ground of the page. */
const dark: MantineColorsTuple = [
  '#d5dae1',
  '#b3bbc6',
  '#98a2af',
  '#5f6874',
  '#3a424c',
  '#2b3138',
  '#20252b',
  '#181c21',
  '#121519',
  '#0c0f12',
]

/** How long what changes may move, which the style sheets are held to as well: see `vite.config.ts`. */
declare const __MOTION_MS__: number
const quick = { duration: __MOTION_MS__ }

const close = { 'aria-label': t('Close') }
const dialog = {
  closeButtonProps: close,
  transitionProps: quick,
  styles: { title: { fontWeight: 620, lineHeight: 1.3 } },
}

/** One scale for all screens. Sizes and gaps are steps of it; a screen never writes pixels of its own for them. */
export const theme = createTheme({
  colors: { accent, gray, dark },
  primaryColor: 'accent',
  primaryShade: { light: 6, dark: 6 },
  fontFamily: SANS,
  fontFamilyMonospace: MONO,
  fontSizes: { xs: '0.75rem', sm: '0.8125rem', md: '0.875rem', lg: '1rem', xl: '1.25rem' },
  lineHeights: { xs: '1.35', sm: '1.45', md: '1.5', lg: '1.55', xl: '1.4' },
  spacing: { xs: '0.25rem', sm: '0.5rem', md: '1rem', lg: '1.5rem', xl: '2.5rem' },
  radius: { xs: '0.125rem', sm: '0.25rem', md: '0.375rem', lg: '0.5rem', xl: '0.75rem' },
  defaultRadius: 'md',
  headings: {
    fontFamily: SANS,
    fontWeight: '620',
    sizes: {
      h1: { fontSize: '1.375rem', lineHeight: '1.3' },
      h2: { fontSize: '1.0625rem', lineHeight: '1.4' },
      h3: { fontSize: '0.9375rem', lineHeight: '1.4' },
    },
  },
  cursorType: 'pointer',
  respectReducedMotion: true,
  // By their names alone where the frame does not need them: imported, they would come with every screen.
  components: {
    AppShell: { defaultProps: { transitionDuration: __MOTION_MS__ } },
    Notifications: { defaultProps: { transitionDuration: __MOTION_MS__ } },
    Popover: { defaultProps: { transitionProps: quick } },
    SegmentedControl: { defaultProps: { transitionDuration: __MOTION_MS__ } },
    SpotlightRoot: { defaultProps: { transitionProps: quick } },
    // The first entry takes the focus, not an element of its own which a screen reader finds in the menu.
    Menu: Menu.extend({ defaultProps: { withInitialFocusPlaceholder: false } }),
    Modal: Modal.extend({ defaultProps: { centered: true, ...dialog } }),
    Drawer: { defaultProps: dialog },
    Notification: { defaultProps: { closeButtonProps: close } },
    // What a chip says is read whole: it keeps its width, or takes another line.
    Badge: Badge.extend({ styles: { root: { flexShrink: 0, minWidth: 'fit-content' } } }),
    Pill: {
      styles: {
        // As wide as its words, up to the whole line: of itself it shrinks to the longest one.
        root: { height: 'auto', maxWidth: '100%', flex: '0 1 auto' },
        // Its sign has no width of its own to go by.
        remove: { flex: 'none', width: '2em' },
        label: { whiteSpace: 'normal', overflowWrap: 'break-word' },
      },
    },
    Table: { defaultProps: { verticalSpacing: 'var(--app-row-gap)', horizontalSpacing: 'sm', fz: 'sm' } },
    Tooltip: Tooltip.extend({ defaultProps: { openDelay: 300, fz: 'xs' } }),
  },
})

const NAMES = ['accent', 'gray', 'red', 'orange', 'yellow', 'teal', 'violet'] as const

/** The text of badges and quiet buttons: the shade of its colour that can be read on a tint of it. */
const onTints = (shade: number) =>
  Object.fromEntries(
    NAMES.map(name => [`--mantine-color-${name}-light-color`, `var(--mantine-color-${name}-${shade})`]),
  )

/** A red that white can be read on. */
const DANGER = {
  '--mantine-color-red-filled': 'var(--mantine-color-red-9)',
  '--mantine-color-red-filled-hover': '#a82222',
}

/** What Mantine’s defaults leave too faint to read, and the surfaces of the shell. */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    ...DANGER,
    ...onTints(9),
    // Its darkest shade is still too light for that.
    '--mantine-color-yellow-light-color': '#7a4100',
    '--mantine-color-dimmed': gray[6],
    '--mantine-color-placeholder': gray[6],
    '--mantine-color-text': gray[9],
    '--mantine-color-default-border': gray[3],
    '--mantine-color-error': '#b42318',
    // The text of light badges.
    '--mantine-color-teal-light-color': '#066649',
    '--app-ground': '#ffffff',
    '--app-raised': gray[0],
    '--app-line': gray[2],
    '--app-hover': gray[1],
    '--app-chosen': accent[0],
  },
  dark: {
    ...DANGER,
    ...onTints(3),
    '--mantine-color-dimmed': dark[2],
    '--mantine-color-placeholder': dark[2],
    '--mantine-color-text': dark[0],
    '--mantine-color-body': dark[8],
    '--mantine-color-default-border': dark[4],
    '--mantine-color-anchor': accent[3],
    '--mantine-color-error': '#ff8f85',
    '--app-ground': dark[8],
    '--app-raised': dark[7],
    '--app-line': dark[5],
    '--app-hover': dark[6],
    '--app-chosen': '#242c4d',
  },
})
