# A Rack application on localhost, which knows nothing of LRWP.
require "rack"

map "/healthz" do
  run ->(_) { [200, {}, []] }
end

run lambda { |env|
  request = Rack::Request.new(env)
  [200, { "Content-Type" => "text/plain" }, ["Rack at #{request.path} for #{request.ip}\n"]]
}
