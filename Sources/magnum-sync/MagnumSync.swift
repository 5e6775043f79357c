/// The program magnum-sync.
@main
enum MagnumSync {
  static func main() {}
}
