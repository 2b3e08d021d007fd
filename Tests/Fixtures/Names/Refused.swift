// Types whose own property has another type than the service. Each would use the current service
// in silence, if its line compiled.
import Ambient

struct A: RequiresLog { var log: Log? }  // refused
struct B: RequiresTime { var time: Time? }  // refused
struct C: RequiresAnalytics { var analytics: Analytics? }  // refused
struct D: RequiresLog { let log: String }  // refused
struct E: RequiresLog { let log: NoLog }  // refused
struct F: RequiresLog { let log: any AmbientService }  // refused
final class G: RequiresLog { let log: Log? = nil }  // refused
enum H: RequiresTime { var time: Time? { nil } }  // refused
actor I: RequiresAnalytics { let analytics: Analytics? = nil }  // refused
struct J { var log: Log? }
extension J: RequiresLog {}  // refused
class K { var log: Log? }
final class L: K, RequiresLog {}  // refused
protocol Speaker: RequiresLog {}
struct M: Speaker { var log: Log? }  // refused
