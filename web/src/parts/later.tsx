import { type ComponentType, createElement, lazy, type ReactNode, Suspense } from 'react'

/**
 * A component that is loaded at its first use, such as a dialog, because readers do not need it. `load` imports the
 * file, `pick` selects the component: `later(load, dialogs => dialogs.AddNode)`.
 */
export const later = <File, Props extends object>(
  load: () => Promise<File>,
  pick: (file: File) => (props: Props) => ReactNode,
) => {
  const Loaded: ComponentType<Props> = lazy(async () => ({ default: pick(await load()) }))
  return (props: Props) => <Suspense>{createElement(Loaded, props)}</Suspense>
}
