import { Component, type ReactNode } from 'react'
import { Button } from '../ui/button.tsx'

interface Words {
  readonly broken: string
  readonly brokenHint: string
  readonly tryAgain: string
  readonly reload: string
}

/** Catches the failure of a view, so that the frame stays usable. */
export class ViewBoundary extends Component<
  { readonly words: Words; readonly children: ReactNode },
  { readonly error: Error | undefined }
> {
  override state = { error: undefined as Error | undefined }

  static getDerivedStateFromError(error: unknown) {
    return { error: error instanceof Error ? error : new Error(String(error)) }
  }

  override render() {
    const { words, children } = this.props
    const { error } = this.state
    if (error === undefined) return children
    return (
      <section className="panel stack" role="alert">
        <h1>{words.broken}</h1>
        <p>{words.brokenHint}</p>
        <pre>{error.message}</pre>
        <div className="row">
          {!isMissingCode(error) && (
            <Button variant="primary" onClick={() => this.setState({ error: undefined })}>
              {words.tryAgain}
            </Button>
          )}
          <Button onClick={() => location.reload()}>{words.reload}</Button>
        </div>
      </section>
    )
  }
}

/** The server has a newer version or is unreachable. The browser does not request a failed module again before a reload. */
function isMissingCode({ message }: Error): boolean {
  return /dynamically imported|importing a module|module script|preload CSS/i.test(message)
}
